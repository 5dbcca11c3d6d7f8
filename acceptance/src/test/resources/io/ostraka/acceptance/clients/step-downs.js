// Writes without pause while every primary steps down in turn. Arguments: how clients connect, then one member of each replica set,
// each as a connection string. Prints OK at the end; an error of any write ends it.
const assert = require('node:assert')
const { MongoClient } = require('mongodb')

const [uri, ...members] = process.argv.slice(2).filter((each) => each.startsWith('mongodb'))

async function direct(host, action) {
  const client = await MongoClient.connect(`mongodb://${host}/?directConnection=true`)
  try {
    return await action(client.db('admin'))
  } finally {
    await client.close()
  }
}

async function stepDown(member) {
  const host = new URL(member).host
  const primary = await direct(host, async (admin) => (await admin.command({ hello: 1 })).primary)
  await direct(primary, (admin) => admin.command({ replSetStepDown: 2, secondaryCatchUpPeriodSecs: 2 }))
}

async function main() {
  const client = await MongoClient.connect(uri)
  const things = client.db('stepDowns').collection('things')
  let going = true
  const written = [0, 0, 0, 0]
  const writers = written.map(async (_, writer) => {
    await things.insertOne({ _id: writer, n: 0 })
    while (going) {
      const after = await things.findOneAndUpdate({ _id: writer }, { $inc: { n: 1 } }, { returnDocument: 'after' })
      assert.strictEqual(after.n, ++written[writer])
      await things.insertOne({ of: writer, n: written[writer] })
    }
  })
  const failed = Promise.all(writers)
  for (let round = 0; round < 2; round++) {
    for (const member of members) {
      await Promise.race([stepDown(member), failed])
      const target = written[0] + 20
      while (written[0] < target) await Promise.race([new Promise((resolve) => setTimeout(resolve, 5)), failed])
    }
  }
  going = false
  await failed
  for (let writer = 0; writer < written.length; writer++) {
    assert.strictEqual((await things.findOne({ _id: writer })).n, written[writer])
    assert.strictEqual(await things.countDocuments({ of: writer }), written[writer])
  }
  await client.close()
  console.log('OK')
}

main().catch((error) => {
  console.log(error)
  process.exit(1)
})
