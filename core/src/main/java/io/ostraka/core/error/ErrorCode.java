package io.ostraka.core.error;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Every error a client can receive: the number and the name are protocol, the kind says who must act and is the only
 * thing retry logic looks at.
 *
 * <p>Numbers and names are those MongoDB 8.0 publishes. {@code throw NAMESPACE_NOT_FOUND.because("...")} reads as a
 * sentence.
 */
public enum ErrorCode {
    INTERNAL_ERROR(1, "InternalError", Kind.INTERNAL),
    BAD_VALUE(2, "BadValue", Kind.USER),
    NO_SUCH_KEY(4, "NoSuchKey", Kind.USER),
    GRAPH_CONTAINS_CYCLE(5, "GraphContainsCycle", Kind.USER),
    HOST_UNREACHABLE(6, "HostUnreachable", Kind.FAILOVER),
    HOST_NOT_FOUND(7, "HostNotFound", Kind.FAILOVER),
    UNKNOWN_ERROR(8, "UnknownError", Kind.INTERNAL),
    FAILED_TO_PARSE(9, "FailedToParse", Kind.USER),
    CANNOT_MUTATE_OBJECT(10, "CannotMutateObject", Kind.USER),
    USER_NOT_FOUND(11, "UserNotFound", Kind.USER),
    UNAUTHORIZED(13, "Unauthorized", Kind.USER),
    TYPE_MISMATCH(14, "TypeMismatch", Kind.USER),
    OVERFLOW(15, "Overflow", Kind.USER),
    INVALID_LENGTH(16, "InvalidLength", Kind.USER),
    PROTOCOL_ERROR(17, "ProtocolError", Kind.USER),
    AUTHENTICATION_FAILED(18, "AuthenticationFailed", Kind.USER),
    ILLEGAL_OPERATION(20, "IllegalOperation", Kind.USER),
    EMPTY_ARRAY_OPERATION(21, "EmptyArrayOperation", Kind.USER),
    INVALID_BSON(22, "InvalidBSON", Kind.USER),
    ALREADY_INITIALIZED(23, "AlreadyInitialized", Kind.USER),
    LOCK_TIMEOUT(24, "LockTimeout", Kind.USER),
    NAMESPACE_NOT_FOUND(26, "NamespaceNotFound", Kind.USER),
    INDEX_NOT_FOUND(27, "IndexNotFound", Kind.USER),
    PATH_NOT_VIABLE(28, "PathNotViable", Kind.USER),
    ROLE_NOT_FOUND(31, "RoleNotFound", Kind.USER),
    CONFLICTING_UPDATE_OPERATORS(40, "ConflictingUpdateOperators", Kind.USER),
    CURSOR_NOT_FOUND(43, "CursorNotFound", Kind.USER),
    LOCK_BUSY(46, "LockBusy", Kind.USER),
    NO_MATCHING_DOCUMENT(47, "NoMatchingDocument", Kind.USER),
    NAMESPACE_EXISTS(48, "NamespaceExists", Kind.USER),
    MAX_TIME_MS_EXPIRED(50, "MaxTimeMSExpired", Kind.USER),
    DOLLAR_PREFIXED_FIELD_NAME(52, "DollarPrefixedFieldName", Kind.USER),
    INVALID_ID_FIELD(53, "InvalidIdField", Kind.USER),
    NOT_SINGLE_VALUE_FIELD(54, "NotSingleValueField", Kind.USER),
    EMPTY_FIELD_NAME(56, "EmptyFieldName", Kind.USER),
    DOTTED_FIELD_NAME(57, "DottedFieldName", Kind.USER),
    COMMAND_NOT_FOUND(59, "CommandNotFound", Kind.USER),
    SHARD_KEY_NOT_FOUND(61, "ShardKeyNotFound", Kind.USER),
    OPLOG_OPERATION_UNSUPPORTED(62, "OplogOperationUnsupported", Kind.USER),
    OBSOLETE_STALE_SHARD_VERSION(63, "OBSOLETE_StaleShardVersion", Kind.ROUTING),
    WRITE_CONCERN_TIMEOUT(64, "WriteConcernTimeout", Kind.USER),
    MULTIPLE_ERRORS_OCCURRED(65, "MultipleErrorsOccurred", Kind.USER),
    IMMUTABLE_FIELD(66, "ImmutableField", Kind.USER),
    CANNOT_CREATE_INDEX(67, "CannotCreateIndex", Kind.USER),
    INDEX_ALREADY_EXISTS(68, "IndexAlreadyExists", Kind.USER),
    SHARD_NOT_FOUND(70, "ShardNotFound", Kind.USER),
    REPLICA_SET_NOT_FOUND(71, "ReplicaSetNotFound", Kind.USER),
    INVALID_OPTIONS(72, "InvalidOptions", Kind.USER),
    INVALID_NAMESPACE(73, "InvalidNamespace", Kind.USER),
    NODE_NOT_FOUND(74, "NodeNotFound", Kind.USER),
    NO_REPLICATION_ENABLED(76, "NoReplicationEnabled", Kind.USER),
    UNKNOWN_REPL_WRITE_CONCERN(79, "UnknownReplWriteConcern", Kind.USER),
    INDEX_OPTIONS_CONFLICT(85, "IndexOptionsConflict", Kind.USER),
    INDEX_KEY_SPECS_CONFLICT(86, "IndexKeySpecsConflict", Kind.USER),
    CANNOT_SPLIT(87, "CannotSplit", Kind.USER),
    NETWORK_TIMEOUT(89, "NetworkTimeout", Kind.FAILOVER),
    CALLBACK_CANCELED(90, "CallbackCanceled", Kind.USER),
    SHUTDOWN_IN_PROGRESS(91, "ShutdownInProgress", Kind.FAILOVER),
    INVALID_REPLICA_SET_CONFIG(93, "InvalidReplicaSetConfig", Kind.USER),
    NOT_YET_INITIALIZED(94, "NotYetInitialized", Kind.USER),
    NOT_SECONDARY(95, "NotSecondary", Kind.USER),
    OPERATION_FAILED(96, "OperationFailed", Kind.USER),
    UNSATISFIABLE_WRITE_CONCERN(100, "UnsatisfiableWriteConcern", Kind.USER),
    INCOMPATIBLE_SHARDING_METADATA(105, "IncompatibleShardingMetadata", Kind.USER),
    LOCK_FAILED(107, "LockFailed", Kind.USER),
    INCONSISTENT_REPLICA_SET_NAMES(108, "InconsistentReplicaSetNames", Kind.USER),
    WRITE_CONFLICT(112, "WriteConflict", Kind.USER),
    COMMAND_NOT_SUPPORTED(115, "CommandNotSupported", Kind.USER),
    CONFLICTING_OPERATION_IN_PROGRESS(117, "ConflictingOperationInProgress", Kind.USER),
    NAMESPACE_NOT_SHARDED(118, "NamespaceNotSharded", Kind.USER),
    DOCUMENT_VALIDATION_FAILURE(121, "DocumentValidationFailure", Kind.USER),
    NOT_A_REPLICA_SET(123, "NotAReplicaSet", Kind.USER),
    COMMAND_FAILED(125, "CommandFailed", Kind.USER),
    FAILED_TO_SATISFY_READ_PREFERENCE(133, "FailedToSatisfyReadPreference", Kind.USER),
    READ_CONCERN_MAJORITY_NOT_AVAILABLE_YET(134, "ReadConcernMajorityNotAvailableYet", Kind.FAILOVER),
    CAPPED_POSITION_LOST(136, "CappedPositionLost", Kind.USER),
    CURSOR_IN_USE(143, "CursorInUse", Kind.USER),
    EXCEEDED_MEMORY_LIMIT(146, "ExceededMemoryLimit", Kind.USER),
    READ_CONCERN_MAJORITY_NOT_ENABLED(148, "ReadConcernMajorityNotEnabled", Kind.USER),
    NO_CONFIG_PRIMARY(149, "NoConfigPrimary", Kind.USER),
    STALE_EPOCH(150, "StaleEpoch", Kind.ROUTING),
    OPERATION_CANNOT_BE_BATCHED(151, "OperationCannotBeBatched", Kind.USER),
    CHUNK_TOO_BIG(153, "ChunkTooBig", Kind.USER),
    INCONSISTENT_SHARD_IDENTITY(154, "InconsistentShardIdentity", Kind.USER),
    MAX_STALENESS_OUT_OF_RANGE(160, "MaxStalenessOutOfRange", Kind.USER),
    COLLECTION_IS_EMPTY(162, "CollectionIsEmpty", Kind.USER),
    ZONE_STILL_IN_USE(163, "ZoneStillInUse", Kind.USER),
    VIEW_DEPTH_LIMIT_EXCEEDED(165, "ViewDepthLimitExceeded", Kind.USER),
    COMMAND_NOT_SUPPORTED_ON_VIEW(166, "CommandNotSupportedOnView", Kind.USER),
    OPTION_NOT_SUPPORTED_ON_VIEW(167, "OptionNotSupportedOnView", Kind.USER),
    INVALID_PIPELINE_OPERATOR(168, "InvalidPipelineOperator", Kind.USER),
    COMMAND_ON_SHARDED_VIEW_NOT_SUPPORTED_ON_MONGOD(169, "CommandOnShardedViewNotSupportedOnMongod", Kind.USER),
    TOO_MANY_MATCHING_DOCUMENTS(170, "TooManyMatchingDocuments", Kind.USER),
    CANNOT_INDEX_PARALLEL_ARRAYS(171, "CannotIndexParallelArrays", Kind.USER),
    QUERY_PLAN_KILLED(175, "QueryPlanKilled", Kind.USER),
    ZONE_NOT_FOUND(177, "ZoneNotFound", Kind.USER),
    RANGE_OVERLAP_CONFLICT(178, "RangeOverlapConflict", Kind.USER),
    AMBIGUOUS_INDEX_KEY_PATTERN(181, "AmbiguousIndexKeyPattern", Kind.USER),
    INVALID_VIEW_DEFINITION(182, "InvalidViewDefinition", Kind.USER),
    LINEARIZABLE_READ_CONCERN_ERROR(187, "LinearizableReadConcernError", Kind.USER),
    INCOMPATIBLE_SERVER_VERSION(188, "IncompatibleServerVersion", Kind.USER),
    PRIMARY_STEPPED_DOWN(189, "PrimarySteppedDown", Kind.FAILOVER),
    OBSOLETE_NO_SHARDING_ENABLED(193, "OBSOLETE_NoShardingEnabled", Kind.USER),
    BALANCER_INTERRUPTED(194, "BalancerInterrupted", Kind.USER),
    INVALID_INDEX_SPECIFICATION_OPTION(197, "InvalidIndexSpecificationOption", Kind.USER),
    REPLICA_SET_MONITOR_REMOVED(199, "ReplicaSetMonitorRemoved", Kind.USER),
    CHUNK_RANGE_CLEANUP_PENDING(200, "ChunkRangeCleanupPending", Kind.USER),
    NETWORK_INTERFACE_EXCEEDED_TIME_LIMIT(202, "NetworkInterfaceExceededTimeLimit", Kind.USER),
    SHARDING_STATE_NOT_INITIALIZED(203, "ShardingStateNotInitialized", Kind.USER),
    NO_SUCH_SESSION(206, "NoSuchSession", Kind.USER),
    INVALID_UUID(207, "InvalidUUID", Kind.USER),
    KEY_NOT_FOUND(211, "KeyNotFound", Kind.USER),
    DUPLICATE_SESSION(213, "DuplicateSession", Kind.USER),
    DATABASE_DROP_PENDING(215, "DatabaseDropPending", Kind.USER),
    ELECTION_IN_PROGRESS(216, "ElectionInProgress", Kind.USER),
    INCOMPLETE_TRANSACTION_HISTORY(217, "IncompleteTransactionHistory", Kind.USER),
    CLOSE_CHANGE_STREAM(222, "CloseChangeStream", Kind.USER),
    ILLEGAL_OP_MSG_FLAG(223, "IllegalOpMsgFlag", Kind.USER),
    QUERY_FEATURE_NOT_ALLOWED(224, "QueryFeatureNotAllowed", Kind.USER),
    TRANSACTION_TOO_OLD(225, "TransactionTooOld", Kind.USER),
    ATOMICITY_FAILURE(226, "AtomicityFailure", Kind.USER),
    CANNOT_IMPLICITLY_CREATE_COLLECTION(227, "CannotImplicitlyCreateCollection", Kind.USER),
    RETRY_CHANGE_STREAM(234, "RetryChangeStream", Kind.USER),
    INTERNAL_ERROR_NOT_SUPPORTED(235, "InternalErrorNotSupported", Kind.USER),
    CURSOR_KILLED(237, "CursorKilled", Kind.USER),
    NOT_IMPLEMENTED(238, "NotImplemented", Kind.USER),
    SNAPSHOT_TOO_OLD(239, "SnapshotTooOld", Kind.USER),
    CONVERSION_FAILURE(241, "ConversionFailure", Kind.USER),
    CANNOT_CREATE_COLLECTION(242, "CannotCreateCollection", Kind.USER),
    SNAPSHOT_UNAVAILABLE(246, "SnapshotUnavailable", Kind.USER),
    STALE_DB_VERSION(249, "StaleDbVersion", Kind.ROUTING),
    STALE_CHUNK_HISTORY(250, "StaleChunkHistory", Kind.USER),
    NO_SUCH_TRANSACTION(251, "NoSuchTransaction", Kind.USER),
    TRANSACTION_COMMITTED(256, "TransactionCommitted", Kind.USER),
    TRANSACTION_TOO_LARGE(257, "TransactionTooLarge", Kind.USER),
    UNKNOWN_FEATURE_COMPATIBILITY_VERSION(258, "UnknownFeatureCompatibilityVersion", Kind.USER),
    INVALID_RESUME_TOKEN(260, "InvalidResumeToken", Kind.USER),
    TOO_MANY_LOGICAL_SESSIONS(261, "TooManyLogicalSessions", Kind.USER),
    EXCEEDED_TIME_LIMIT(262, "ExceededTimeLimit", Kind.FAILOVER),
    OPERATION_NOT_SUPPORTED_IN_TRANSACTION(263, "OperationNotSupportedInTransaction", Kind.USER),
    ORPHANED_RANGE_CLEAN_UP_FAILED(265, "OrphanedRangeCleanUpFailed", Kind.USER),
    PREPARED_TRANSACTION_IN_PROGRESS(267, "PreparedTransactionInProgress", Kind.USER),
    MIGRATION_CONFLICT(272, "MigrationConflict", Kind.USER),
    INDEX_BUILD_ABORTED(276, "IndexBuildAborted", Kind.USER),
    CLIENT_DISCONNECT(279, "ClientDisconnect", Kind.USER),
    CHANGE_STREAM_FATAL_ERROR(280, "ChangeStreamFatalError", Kind.USER),
    TRANSACTION_COORDINATOR_STEPPING_DOWN(281, "TransactionCoordinatorSteppingDown", Kind.USER),
    TRANSACTION_COORDINATOR_REACHED_ABORT_DECISION(282, "TransactionCoordinatorReachedAbortDecision", Kind.USER),
    WOULD_CHANGE_OWNING_SHARD(283, "WouldChangeOwningShard", Kind.USER),
    INDEX_BUILD_ALREADY_IN_PROGRESS(285, "IndexBuildAlreadyInProgress", Kind.USER),
    CHANGE_STREAM_HISTORY_LOST(286, "ChangeStreamHistoryLost", Kind.USER),
    TRANSACTION_EXCEEDED_LIFETIME_LIMIT_SECONDS(290, "TransactionExceededLifetimeLimitSeconds", Kind.USER),
    NO_QUERY_EXECUTION_PLANS(291, "NoQueryExecutionPlans", Kind.USER),
    QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED(292, "QueryExceededMemoryLimitNoDiskUseAllowed", Kind.USER),
    RANGE_DELETION_ABANDONED_BECAUSE_COLLECTION_WITH_UUID_DOES_NOT_EXIST(
            300, "RangeDeletionAbandonedBecauseCollectionWithUUIDDoesNotExist", Kind.USER),
    SPLIT_HORIZON_CHANGE(303, "SplitHorizonChange", Kind.USER),
    RANGE_DELETION_ABANDONED_BECAUSE_TASK_DOCUMENT_DOES_NOT_EXIST(
            307, "RangeDeletionAbandonedBecauseTaskDocumentDoesNotExist", Kind.USER),
    RESUMABLE_RANGE_DELETER_DISABLED(313, "ResumableRangeDeleterDisabled", Kind.USER),
    OBJECT_IS_BUSY(314, "ObjectIsBusy", Kind.USER),
    MOVE_PRIMARY_IN_PROGRESS(319, "MovePrimaryInProgress", Kind.USER),
    API_VERSION_ERROR(322, "APIVersionError", Kind.USER),
    API_STRICT_ERROR(323, "APIStrictError", Kind.USER),
    API_DEPRECATION_ERROR(324, "APIDeprecationError", Kind.USER),
    RESHARD_COLLECTION_IN_PROGRESS(338, "ReshardCollectionInProgress", Kind.USER),
    NO_SUCH_RESHARD_COLLECTION(339, "NoSuchReshardCollection", Kind.USER),
    RESHARD_COLLECTION_COMMITTED(340, "ReshardCollectionCommitted", Kind.USER),
    RESHARD_COLLECTION_ABORTED(341, "ReshardCollectionAborted", Kind.USER),
    RESHARDING_CRITICAL_SECTION_TIMEOUT(342, "ReshardingCriticalSectionTimeout", Kind.USER),
    SHARD_CANNOT_REFRESH_DUE_TO_LOCKS_HELD(343, "ShardCannotRefreshDueToLocksHeld", Kind.USER),
    API_MISMATCH_ERROR(347, "APIMismatchError", Kind.USER),
    CHANGE_STREAM_TOPOLOGY_CHANGE(348, "ChangeStreamTopologyChange", Kind.USER),
    KEY_PATTERN_SHORTER_THAN_BOUND(349, "KeyPatternShorterThanBound", Kind.USER),
    RESHARD_COLLECTION_TRUNCATED_ERROR(350, "ReshardCollectionTruncatedError", Kind.USER),
    UNSUPPORTED_OP_QUERY_COMMAND(352, "UnsupportedOpQueryCommand", Kind.USER),
    LOAD_BALANCER_SUPPORT_MISMATCH(354, "LoadBalancerSupportMismatch", Kind.USER),
    INTERRUPTED_DUE_TO_STORAGE_CHANGE(355, "InterruptedDueToStorageChange", Kind.USER),
    TXN_RETRY_COUNTER_TOO_OLD(356, "TxnRetryCounterTooOld", Kind.USER),
    CANNOT_CONVERT_INDEX_TO_UNIQUE(359, "CannotConvertIndexToUnique", Kind.USER),
    COLLECTION_UUID_MISMATCH(361, "CollectionUUIDMismatch", Kind.USER),
    TEMPORARILY_UNAVAILABLE(365, "TemporarilyUnavailable", Kind.USER),
    WOULD_CHANGE_OWNING_SHARD_DELETED_NO_DOCUMENT(366, "WouldChangeOwningShardDeletedNoDocument", Kind.USER),
    CANNOT_DROP_SHARD_KEY_INDEX(370, "CannotDropShardKeyIndex", Kind.USER),
    USER_WRITES_BLOCKED(371, "UserWritesBlocked", Kind.USER),
    CHANGE_STREAM_NOT_ENABLED(376, "ChangeStreamNotEnabled", Kind.USER),
    COLLECTION_IS_EMPTY_LOCALLY(383, "CollectionIsEmptyLocally", Kind.USER),
    TRANSACTION_TOO_LARGE_FOR_CACHE(388, "TransactionTooLargeForCache", Kind.USER),
    REAUTHENTICATION_REQUIRED(391, "ReauthenticationRequired", Kind.USER),
    RESOURCE_EXHAUSTED(402, "ResourceExhausted", Kind.FAILOVER),
    UNSUPPORTED_SHARDING_EVENT_NOTIFICATION(403, "UnsupportedShardingEventNotification", Kind.USER),
    CANNOT_CREATE_CHUNK_DISTRIBUTION(405, "CannotCreateChunkDistribution", Kind.USER),
    MIGRATION_BLOCKING_OPERATION_COORDINATOR_CLEANING_UP(
            406, "MigrationBlockingOperationCoordinatorCleaningUp", Kind.FAILOVER),
    POOLED_CONNECTION_ACQUISITION_EXCEEDED_TIME_LIMIT(
            407, "PooledConnectionAcquisitionExceededTimeLimit", Kind.FAILOVER),
    QUERY_REJECTED_BY_SETTINGS(411, "QueryRejectedBySettings", Kind.USER),
    TRANSACTION_PARTICIPANT_FAILED_UNYIELD(413, "TransactionParticipantFailedUnyield", Kind.USER),
    ADD_OR_REMOVE_SHARD_IN_PROGRESS(414, "AddOrRemoveShardInProgress", Kind.USER),
    CHUNK_METADATA_INCONSISTENCY(431, "ChunkMetadataInconsistency", Kind.USER),
    INTERRUPTED_DUE_TO_RESHARDING_CRITICAL_SECTION(453, "InterruptedDueToReshardingCriticalSection", Kind.USER),
    SOCKET_EXCEPTION(9001, "SocketException", Kind.FAILOVER),
    OBSOLETE_RECV_STALE_CONFIG(9996, "OBSOLETE_RecvStaleConfig", Kind.ROUTING),
    CANNOT_GROW_DOCUMENT_IN_CAPPED_NAMESPACE(10003, "CannotGrowDocumentInCappedNamespace", Kind.USER),
    LEGACY_NOT_PRIMARY(10058, "LegacyNotPrimary", Kind.FAILOVER),
    NOT_WRITABLE_PRIMARY(10107, "NotWritablePrimary", Kind.FAILOVER),
    BSON_OBJECT_TOO_LARGE(10334, "BSONObjectTooLarge", Kind.USER),
    DUPLICATE_KEY(11000, "DuplicateKey", Kind.USER),
    INTERRUPTED_AT_SHUTDOWN(11600, "InterruptedAtShutdown", Kind.FAILOVER),
    INTERRUPTED(11601, "Interrupted", Kind.USER),
    INTERRUPTED_DUE_TO_REPL_STATE_CHANGE(11602, "InterruptedDueToReplStateChange", Kind.FAILOVER),
    BACKGROUND_OPERATION_IN_PROGRESS_FOR_DATABASE(12586, "BackgroundOperationInProgressForDatabase", Kind.USER),
    BACKGROUND_OPERATION_IN_PROGRESS_FOR_NAMESPACE(12587, "BackgroundOperationInProgressForNamespace", Kind.USER),
    MERGE_STAGE_NO_MATCHING_DOCUMENT(13113, "MergeStageNoMatchingDocument", Kind.USER),
    DATABASE_DIFFER_CASE(13297, "DatabaseDifferCase", Kind.USER),
    STALE_CONFIG(13388, "StaleConfig", Kind.ROUTING),
    NOT_PRIMARY_NO_SECONDARY_OK(13435, "NotPrimaryNoSecondaryOk", Kind.FAILOVER),
    NOT_PRIMARY_OR_SECONDARY(13436, "NotPrimaryOrSecondary", Kind.FAILOVER),
    OUT_OF_DISK_SPACE(14031, "OutOfDiskSpace", Kind.USER),
    OBSOLETE_KEY_TOO_LONG(17280, "OBSOLETE_KeyTooLong", Kind.USER),
    NAMESPACE_CANNOT_BE_SHARDED(28769, "NamespaceCannotBeSharded", Kind.USER),
    IDL_DUPLICATE_FIELD(40413, "IDLDuplicateField", Kind.USER),
    IDL_FAILED_TO_PARSE(40414, "IDLFailedToParse", Kind.USER),
    IDL_UNKNOWN_FIELD(40415, "IDLUnknownField", Kind.USER),
    CLIENT_MARKED_KILLED(46841, "ClientMarkedKilled", Kind.USER),
    NOT_A_RETRYABLE_WRITE_COMMAND(50768, "NotARetryableWriteCommand", Kind.USER),
    CONFIG_SERVER_UNREACHABLE(56846, "ConfigServerUnreachable", Kind.USER),
    RETRIABLE_REMOTE_COMMAND_FAILURE(91331, "RetriableRemoteCommandFailure", Kind.FAILOVER),
    ILLEGAL_CHANGE_TO_EXPECTED_SHARD_VERSION(640570, "IllegalChangeToExpectedShardVersion", Kind.USER),
    ILLEGAL_CHANGE_TO_EXPECTED_DATABASE_VERSION(640571, "IllegalChangeToExpectedDatabaseVersion", Kind.USER),
    REMOVE_SHARD_DRAINING_IN_PROGRESS(1003141, "RemoveShardDrainingInProgress", Kind.USER),

    // Numbers without a name of their own: clients know them as Location<number>.
    GROUP_FIELDS_NOT_OBJECT(15947, "Location15947", Kind.USER),
    UNKNOWN_GROUP_OPERATOR(15952, "Location15952", Kind.USER),
    GROUP_NEEDS_ID(15955, "Location15955", Kind.USER),
    SKIP_NEGATIVE(15956, "Location15956", Kind.USER),
    MATCH_NOT_OBJECT(15957, "Location15957", Kind.USER),
    LIMIT_NOT_POSITIVE(15958, "Location15958", Kind.USER),
    MATCH_FILTER_NOT_OBJECT(15959, "Location15959", Kind.USER),
    SKIP_NOT_NUMBER(15972, "Location15972", Kind.USER),
    SORT_KEY_NOT_OBJECT(15973, "Location15973", Kind.USER),
    SORT_DIRECTION_INVALID(15975, "Location15975", Kind.USER),
    SORT_KEY_EMPTY(15976, "Location15976", Kind.USER),
    UNWIND_NOT_STRING(15981, "Location15981", Kind.USER),
    EXPRESSION_HAS_SEVERAL_FIELDS(15983, "Location15983", Kind.USER),
    FIELD_PATH_EMPTY_COMPONENT(15998, "Location15998", Kind.USER),
    WRONG_NUMBER_OF_ARGUMENTS(16020, "Location16020", Kind.USER),
    FIELD_PATH_DOLLAR(16410, "Location16410", Kind.USER),
    ADD_NEEDS_NUMBERS(16554, "Location16554", Kind.USER),
    SUBTRACT_NEEDS_NUMBERS(16555, "Location16555", Kind.USER),
    DIVIDE_BY_ZERO(16608, "Location16608", Kind.USER),
    DIVIDE_NEEDS_NUMBERS(16609, "Location16609", Kind.USER),
    MOD_BY_ZERO(16610, "Location16610", Kind.USER),
    MOD_NEEDS_NUMBERS(16611, "Location16611", Kind.USER),
    CONCAT_NEEDS_STRINGS(16702, "Location16702", Kind.USER),
    EMPTY_VARIABLE_NAME(16872, "Location16872", Kind.USER),
    SET_OPERAND_NOT_ARRAY(16994, "Location16994", Kind.USER),
    COND_MISSING_IF(17053, "Location17053", Kind.USER),
    UNDEFINED_VARIABLE(17276, "Location17276", Kind.USER),
    META_NOT_AVAILABLE(17312, "Location17312", Kind.USER),
    WRONG_DATE_ARGUMENT(17419, "Location17419", Kind.USER),
    OPERAND_NOT_ARRAY(28664, "Location28664", Kind.USER),
    INVALID_NUMERIC_ARGUMENT(28680, "Location28680", Kind.USER),
    SAMPLE_NOT_NUMBER(28746, "Location28746", Kind.USER),
    NEEDS_NUMERIC_ARGUMENT(28765, "Location28765", Kind.USER),
    UNWIND_UNKNOWN_OPTION(28811, "Location28811", Kind.USER),
    UNWIND_NEEDS_PATH(28812, "Location28812", Kind.USER),
    UNWIND_PATH_WITHOUT_DOLLAR(28818, "Location28818", Kind.USER),
    KEY_UPDATE_WITHOUT_FULL_KEY(31025, "Location31025", Kind.USER),
    PATH_COLLISION_AT(31249, "Location31249", Kind.USER),
    PATH_COLLISION(31250, "Location31250", Kind.USER),
    EXCLUSION_IN_INCLUSION(31253, "Location31253", Kind.USER),
    INCLUSION_IN_EXCLUSION(31254, "Location31254", Kind.USER),
    COUNT_NOT_STRING(40156, "Location40156", Kind.USER),
    COUNT_EMPTY(40157, "Location40157", Kind.USER),
    COUNT_DOLLAR(40158, "Location40158", Kind.USER),
    COUNT_DOT(40160, "Location40160", Kind.USER),
    ADD_FIELDS_BAD_PATH(40177, "Location40177", Kind.USER),
    ADD_FIELDS_EMPTY(40181, "Location40181", Kind.USER),
    NEW_ROOT_NOT_OBJECT(40228, "Location40228", Kind.USER),
    GROUP_FIELD_NOT_ACCUMULATOR(40234, "Location40234", Kind.USER),
    GROUP_FIELD_WITH_DOT(40235, "Location40235", Kind.USER),
    ACCUMULATOR_NOT_SINGLE(40237, "Location40237", Kind.USER),
    GROUP_FIELD_HAS_SEVERAL_ACCUMULATORS(40238, "Location40238", Kind.USER),
    STAGE_NOT_SINGLE_FIELD(40323, "Location40323", Kind.USER),
    UNRECOGNIZED_STAGE(40324, "Location40324", Kind.USER),
    FIELD_PATH_EMPTY(40352, "Location40352", Kind.USER),
    FIELD_PATH_ENDS_WITH_DOT(40353, "Location40353", Kind.USER),
    STAGE_MUST_BE_FIRST(40602, "Location40602", Kind.USER),
    NEGATIVE_VALUE(51024, "Location51024", Kind.USER),
    OUT_OF_RANGE_SIZE(51047, "Location51047", Kind.USER),
    INVALID_REGEX_OPTIONS(51075, "Location51075", Kind.USER),
    INVALID_REGEX(51091, "Location51091", Kind.USER),
    REGEX_OPTIONS_TWICE(51108, "Location51108", Kind.USER),
    CLEAR_JUMBO_FIND_WITHOUT_KEY(51260, "Location51260", Kind.USER),
    CLEAR_JUMBO_NO_SUCH_CHUNK(51261, "Location51261", Kind.USER),
    PROJECTION_EMPTY(51270, "Location51270", Kind.USER),
    HELLO_TOPOLOGY_VERSION_WITHOUT_AWAIT(51758, "Location51758", Kind.USER),
    HELLO_AWAIT_NEGATIVE(51759, "Location51759", Kind.USER),
    HELLO_AWAIT_WITHOUT_TOPOLOGY_VERSION(51760, "Location51760", Kind.USER),
    MOVE_CHUNK_FIND_WITHOUT_KEY(656450, "Location656450", Kind.USER),
    NO_INDEX_AND_NOT_IMPLICIT(6373200, "Location6373200", Kind.USER),
    DATA_DISTRIBUTION_SPEC_NOT_EMPTY(6789100, "Location6789100", Kind.USER),
    DATA_DISTRIBUTION_NOT_ON_ADMIN(6789102, "Location6789102", Kind.USER),
    SET_FCV_WITHOUT_CONFIRM(7369100, "Location7369100", Kind.USER);

    /** Who must act: the user, the router (refresh and retry), the driver (find the new primary), or us. */
    public enum Kind {
        USER,
        ROUTING,
        FAILOVER,
        INTERNAL
    }

    private static final Map<Integer, ErrorCode> BY_NUMBER = new HashMap<>();

    static {
        for (ErrorCode code : values()) {
            BY_NUMBER.put(code.number, code);
        }
    }

    private final int number;
    private final String codeName;
    private final Kind kind;

    ErrorCode(int number, String codeName, Kind kind) {
        this.number = number;
        this.codeName = codeName;
        this.kind = kind;
    }

    /** The number on the wire, {@code code}. */
    public int number() {
        return number;
    }

    /** The name on the wire, {@code codeName}. */
    public String codeName() {
        return codeName;
    }

    /** Who must act. */
    public Kind kind() {
        return kind;
    }

    /** The code of a number received from another process, if it is one of ours. */
    public static Optional<ErrorCode> of(int number) {
        return Optional.ofNullable(BY_NUMBER.get(number));
    }

    /**
     * The exception for this error.
     *
     * @param reason what is wrong and what the user can do, a {@link String#format} pattern if there are arguments
     * @param arguments the pattern's arguments
     */
    public CommandException because(String reason, Object... arguments) {
        return new CommandException(
                this, arguments.length == 0 ? reason : String.format(Locale.ROOT, reason, arguments));
    }
}
