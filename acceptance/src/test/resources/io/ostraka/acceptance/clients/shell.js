use text
sh.stopBalancer().ok
sh.enableSharding("text", "shard0").ok
sh.shardCollection("text.things", {k: 1}).collectionsharded
db.things.insertMany(Array.from({length: 300}, (_, i) => ({_id: i, k: i, filler: "x".repeat(100)}))).acknowledged
db.plain.insertOne({_id: 1}).acknowledged
sh.splitAt("text.things", {k: 100}).ok
sh.splitAt("text.things", {k: 200}).ok
sh.moveRange("text.things", "shard1", {k: 100}, {k: 200}).ok
sh.moveRange("text.things", "shard2", {k: 200}).ok
print("#### show dbs")
show dbs
print("#### show collections")
show collections
print("#### getShardDistribution")
db.things.getShardDistribution()
print("#### stats")
db.things.stats()
print("#### stats of an unsharded collection")
db.plain.stats()
print("#### isBalancerRunning")
sh.isBalancerRunning()
print("#### currentOp")
db.currentOp()
print("#### status")
sh.status()
