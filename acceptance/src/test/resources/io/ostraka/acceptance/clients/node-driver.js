// What the Node driver does, on a cluster of three shards. Arguments: one connection string a router. Prints OK at the end.
const assert = require('node:assert')
const { MongoClient, Long, Decimal128, UUID, Binary, Timestamp, MinKey, MaxKey } = require('mongodb')

const [uri] = process.argv.slice(2).filter((each) => each.startsWith('mongodb'))
const DATABASE = 'nodeDriver'

async function fails(code, codeName, action) {
  try {
    await action()
  } catch (error) {
    assert.strictEqual(error.code, code, `${error.codeName}: ${error.message}`)
    if (codeName) assert.strictEqual(error.codeName, codeName)
    return error
  }
  assert.fail(`expected ${codeName} ${code}`)
}

async function values(db) {
  const all = {
    _id: 1, long: Long.fromString('9007199254740993'), decimal: Decimal128.fromString('1.50'), uuid: new UUID(),
    date: new Date(-1), binary: new Binary(Buffer.from([1, 2])), stamp: new Timestamp({ t: 1, i: 2 }), none: null,
    low: new MinKey(), high: new MaxKey(), minus: -0, list: [1, [2]], nested: { 'a.b': 1, $c: 2, '': 3 }, text: 'ä\u0000😀',
  }
  await db.collection('values').insertOne(all)
  const found = await db.collection('values').findOne({ _id: 1 }, { promoteLongs: false })
  for (const key of Object.keys(all)) assert.deepStrictEqual(String(found[key]), String(all[key]), key)
  assert.ok(Object.is((await db.collection('values').findOne({ decimal: 1.5 })).minus, -0))
}

async function crud(things) {
  const many = await things.insertMany(Array.from({ length: 500 }, (_, i) => ({ _id: i, k: i, n: i % 10 })))
  assert.strictEqual(many.insertedCount, 500)
  assert.deepStrictEqual((await things.updateMany({ n: 3 }, { $inc: { seen: 1 } })).modifiedCount, 50)
  assert.strictEqual((await things.updateOne({ k: 7 }, { $set: { seen: 7 } })).matchedCount, 1)
  assert.strictEqual((await things.replaceOne({ _id: 8, k: 8 }, { k: 8, replaced: true })).modifiedCount, 1)
  assert.strictEqual((await things.updateOne({ k: 900 }, { $set: { n: 1 } }, { upsert: true })).upsertedCount, 1)
  assert.strictEqual((await things.deleteMany({ n: 9 })).deletedCount, 50)
  assert.strictEqual((await things.findOneAndUpdate({ k: 1 }, { $set: { x: 1 } }, { returnDocument: 'after' })).x, 1)
  assert.strictEqual((await things.findOneAndDelete({ k: 900 })).n, 1)
  assert.strictEqual(await things.countDocuments({ n: { $lt: 3 } }), 150)
  assert.strictEqual(await things.estimatedDocumentCount(), 450)
  assert.deepStrictEqual((await things.distinct('n')).sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8])
}

async function bulk(things) {
  const result = await things.bulkWrite([
    { insertOne: { document: { _id: 1000, k: 1000 } } },
    { updateOne: { filter: { k: 1000 }, update: { $set: { n: 1 } } } },
    { updateMany: { filter: { n: 4 }, update: { $set: { bulk: true } } } },
    { replaceOne: { filter: { k: 1001 }, replacement: { k: 1001 }, upsert: true } },
    { deleteOne: { filter: { k: 1000 } } },
    { deleteMany: { filter: { n: 5 } } },
  ])
  assert.deepStrictEqual(
    [result.insertedCount, result.matchedCount, result.modifiedCount, result.upsertedCount, result.deletedCount],
    [1, 51, 51, 1, 51])
  const error = await fails(11000, null, () => things.insertMany(
    [{ _id: 2000, k: 2000 }, { _id: 0, k: 0 }, { _id: 2001, k: 2001 }], { ordered: false }))
  assert.strictEqual(error.writeErrors[0].index, 1)
  assert.strictEqual(error.result.insertedCount, 2)
}

async function cursors(client, things) {
  const seen = new Set()
  for await (const each of things.find({}, { batchSize: 7 })) seen.add(each._id.toString())
  assert.strictEqual(seen.size, await things.countDocuments())
  const sorted = await things.find({}, { batchSize: 20 }).sort({ k: -1 }).skip(3).limit(60).project({ k: 1, _id: 0 }).toArray()
  assert.strictEqual(sorted.length, 60)
  assert.ok(sorted.every((each, i) => i === 0 || sorted[i - 1].k > each.k))
  const groups = await things.aggregate(
    [{ $match: { n: { $exists: true } } }, { $group: { _id: '$n', count: { $sum: 1 } } }, { $sort: { _id: 1 } }],
    { batchSize: 2 }).toArray()
  assert.strictEqual(groups.reduce((sum, each) => sum + each.count, 0), await things.countDocuments({ n: { $exists: true } }))
  const open = things.find({}, { batchSize: 2 })
  await open.next()
  const id = open.id
  await open.close()
  await fails(43, 'CursorNotFound', () => client.db(DATABASE).command({ getMore: id, collection: 'things' }))
}

async function sessions(client, things) {
  await client.withSession(async (session) => {
    await things.insertOne({ k: 4000 }, { session })
    assert.strictEqual(await things.countDocuments({ k: 4000 }, { session }), 1)
  })
  // Its number is beyond what the driver counts to, so it must not go back to the driver's pool.
  const repeated = client.startSession()
  for (let i = 0; i < 2; i++) {
    const reply = await client.db(DATABASE).command(
      { insert: 'things', documents: [{ _id: 3000, k: 3000 }], txnNumber: Long.fromNumber(100000) }, { session: repeated })
    assert.strictEqual(reply.n, 1, 'a repeated number returns the first result')
    assert.ok(!reply.writeErrors)
  }
  assert.strictEqual(await things.countDocuments({ k: 3000 }), 1)
  await client.withSession((session) => session.withTransaction(async () => {
    await things.insertOne({ k: 5000 }, { session })
    assert.strictEqual(await things.countDocuments({ k: 5000 }), 0)
  }))
  assert.strictEqual(await things.countDocuments({ k: 5000 }), 1)
  await client.withSession(async (session) => {
    session.startTransaction()
    const error = await fails(263, null, async () => {
      for (let k = 6000; k < 6020; k++) await things.insertOne({ k }, { session }) // more than one shard
    })
    assert.ok(error.hasErrorLabel('TransientTransactionError'))
    await session.abortTransaction()
  })
  assert.strictEqual(await things.countDocuments({ k: { $gte: 6000 } }), 0)
}

async function errors(client, db, things) {
  await fails(59, 'CommandNotFound', () => db.command({ noSuchCommand: 1 }))
  await fails(2, 'BadValue', () => things.find({ a: { $noSuch: 1 } }).toArray())
  await fails(40324, null, () => things.aggregate([{ $noSuch: 1 }]).toArray())
  await fails(50, 'MaxTimeMSExpired', () => things.aggregate(
    Array.from({ length: 200 }, () => ({ $sort: { n: 1, k: -1 } })), { maxTimeMS: 1 }).toArray())
  await fails(26, 'NamespaceNotFound', () => db.renameCollection('none', 'other'))
  await fails(48, 'NamespaceExists', () => db.createCollection('things'))
  await fails(27, 'IndexNotFound', () => things.dropIndex('none'))
  await fails(61, null, () => things.insertOne({ k: [1] }))
  await fails(23, 'AlreadyInitialized', () => client.db('admin').command({ shardCollection: `${DATABASE}.things`, key: { z: 1 } }))
  await fails(118, 'NamespaceNotSharded', () => client.db('admin').command({ split: `${DATABASE}.values`, find: { k: 1 } }))
  await fails(70, 'ShardNotFound', () => client.db('admin').command({ moveChunk: `${DATABASE}.things`, find: { k: 1 }, to: 'none' }))
}

/** The driver watches by one request that is answered again and again. Where that ends it empties its pool of connections. */
async function watched() {
  const client = new MongoClient(uri, { heartbeatFrequencyMS: 500 })
  const failures = []
  client.on('serverHeartbeatFailed', (event) => failures.push(event.failure.message))
  client.on('connectionPoolCleared', () => failures.push('cleared'))
  const heartbeats = new Promise((resolve) => {
    let seen = 0
    client.on('serverHeartbeatSucceeded', (event) => { if (event.awaited && ++seen === 4) resolve() })
  })
  try {
    await client.connect()
    await heartbeats
    assert.deepStrictEqual(failures, [])
  } finally {
    await client.close()
  }
}

async function all(options) {
  const client = await MongoClient.connect(uri, options)
  try {
    const db = client.db(DATABASE)
    await db.dropDatabase()
    await client.db('admin').command({ shardCollection: `${DATABASE}.things`, key: { k: 'hashed' } })
    const things = db.collection('things')
    await values(db)
    await crud(things)
    await bulk(things)
    await cursors(client, things)
    await sessions(client, things)
    await errors(client, db, things)
    await db.dropDatabase()
  } finally {
    await client.close()
  }
}

(async () => {
  for (const compressors of [[], ['zlib'], ['snappy'], ['zstd']]) {
    try {
      await all({ compressors })
    } catch (error) {
      // Snappy and zstd need packages of the driver's own choosing; where they are not installed it refuses before it connects.
      if (error.name !== 'MongoMissingDependencyError') throw error
    }
  }
  await watched()
  console.log('OK')
})().catch((error) => {
  console.log(error)
  process.exit(1)
})
