/**
 * Messages as bytes.
 *
 * <p><b>Way through.</b> {@link io.ostraka.wire.message.FrameDecoder} turns a frame into an
 * {@link io.ostraka.wire.message.Incoming}; {@link io.ostraka.wire.message.FrameEncoder} does the reverse.
 *
 * <p><b>Always.</b> Documents that come out have been checked and are views into the frame.
 *
 * <p><b>The bytes</b> are those of the MongoDB wire protocol; numbers are little-endian.
 *
 * <pre>
 * header         int32 length, int32 request id, int32 response to, int32 kind
 * 2013 OP_MSG    int32 flags, sections, CRC-32C if flag 0 is set
 *                section: byte 0, document | byte 1, int32 length, name, zero, documents
 * 2012 OP_COMPRESSED  int32 kind within, int32 bytes within, byte compressor, bytes
 * 2004 OP_QUERY  int32 flags, namespace, zero, int32 skip, int32 return, document: for hello only
 * 1 OP_REPLY     int32 flags, int64 cursor, int32 from, int32 count, document: answers OP_QUERY only
 * </pre>
 *
 * <p><b>Not here.</b> Where frames come from: {@code wire.transport}.
 */
package io.ostraka.wire.message;
