// mongodb-runner starts a set of three and a sharded cluster with the programs of a folder; a driver writes and reads.
const { MongoCluster } = require('mongodb-runner');
const { MongoClient } = require('mongodb');

const [binDir, tmpDir] = process.argv.slice(-2);

async function tried(options) {
  const cluster = await MongoCluster.start({ binDir, tmpDir, ...options });
  try {
    const client = await MongoClient.connect(cluster.connectionString);
    try {
      const things = client.db('d').collection('things');
      await things.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }], { writeConcern: { w: 'majority' } });
      const hello = await client.db('admin').command({ hello: 1 });
      console.log(options.topology, await things.countDocuments(), hello.hosts ? hello.hosts.concat(hello.passives ?? []).length : hello.msg);
    } finally {
      await client.close();
    }
  } finally {
    await cluster.close();
  }
}

(async () => {
  await tried({ topology: 'replset', secondaries: 2 });
  await tried({ topology: 'sharded', shards: 2, secondaries: 0 });
  console.log('OK');
})().catch((error) => {
  console.log('Error', error);
  process.exitCode = 1;
});
