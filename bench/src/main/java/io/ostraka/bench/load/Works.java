package io.ostraka.bench.load;

import com.mongodb.client.MongoClient;
import io.ostraka.bench.target.TargetProcess;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** The works by name. */
final class Works {
    /**
     * Where a work happens.
     *
     * @param threads as many clients at once
     */
    record Site(TargetProcess target, MongoClient client, Documents documents, int threads) {}

    /** Makes a work's data and the work. */
    interface Maker {
        Work make(Site site);
    }

    static final Map<String, Maker> BY_NAME = new TreeMap<>(Comparator.naturalOrder());

    static {
        BY_NAME.put("insertOne", site -> new InsertWork(site, 1, true));
        BY_NAME.put("insertMany100", site -> new InsertWork(site, 100, true));
        BY_NAME.put("insertMany100-unordered", site -> new InsertWork(site, 100, false));
        BY_NAME.put("insertMany1000", site -> new InsertWork(site, 1_000, true));
        BY_NAME.put("insertMany1000-unordered", site -> new InsertWork(site, 1_000, false));
        BY_NAME.put("findById", site -> new ReadWork(site, ReadWork.By.ID));
        BY_NAME.put("findByKey", site -> new ReadWork(site, ReadWork.By.KEY));
        BY_NAME.put("range100", site -> new ReadWork(site, ReadWork.By.RANGE));
        BY_NAME.put("incById", site -> new CountWork(site, site.documents().count()));
        BY_NAME.put("incHot", site -> new CountWork(site, 1));
        BY_NAME.put("group", site -> new GroupWork(site, false));
        BY_NAME.put("groupCovered", site -> new GroupWork(site, true));
        BY_NAME.put("ycsb-a", site -> new MixWork(site, 50, 50, 0));
        BY_NAME.put("ycsb-b", site -> new MixWork(site, 95, 5, 0));
        BY_NAME.put("ycsb-c", site -> new MixWork(site, 100, 0, 0));
        BY_NAME.put("ycsb-e", site -> new MixWork(site, 0, 0, 95));
        BY_NAME.put("ping", PingWork::new);
    }

    private Works() {}
}
