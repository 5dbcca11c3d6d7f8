package io.ostraka.bench.load;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.ostraka.bench.target.TargetProcess;
import io.ostraka.bench.target.TargetSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One run: all works, all thread counts, all targets in turn. */
final class Run implements AutoCloseable {
    private record Stand(Works.Site site, Work work, List<Work.Worker> workers) {}

    private final LoadSettings settings;
    private final Report report;
    private final Map<TargetProcess, MongoClient> targets = new LinkedHashMap<>();

    private Run(LoadSettings settings, Report report) {
        this.settings = settings;
        this.report = report;
    }

    static void run(LoadSettings settings, Report report) throws Exception {
        try (Run run = new Run(settings, report)) {
            for (TargetSpec spec : settings.targets()) {
                TargetProcess process = TargetProcess.start(spec);
                run.targets.put(process, client(process));
            }
            for (String name : settings.works()) {
                for (int threads : settings.threads()) {
                    run.measure(name, threads);
                }
            }
        }
    }

    private static MongoClient client(TargetProcess process) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(process.uri()))
                .applyToConnectionPoolSettings(pool -> pool.maxSize(256))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(30, TimeUnit.SECONDS))
                .build());
    }

    private void measure(String name, int threads) throws Exception {
        List<Stand> stands = new ArrayList<>();
        try {
            for (Map.Entry<TargetProcess, MongoClient> each : targets.entrySet()) {
                if (each.getKey().spec().onlyEchoes() && !name.equals("ping")) {
                    continue;
                }
                Documents documents = new Documents(settings.documents(), settings.documentBytes());
                Works.Site site = new Works.Site(each.getKey(), each.getValue(), documents, threads);
                Work work = Works.BY_NAME.get(name).make(site);
                List<Work.Worker> workers = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    workers.add(work.worker());
                }
                stands.add(new Stand(site, work, workers));
            }
            for (Stand stand : stands) {
                Round.run(stand.site.target(), stand.workers, settings.warmUpSeconds(), settings.seed());
            }
            for (int round = 0; round < settings.rounds(); round++) {
                for (Stand stand : stands) {
                    Outcome outcome = Round.run(
                            stand.site.target(), stand.workers, settings.seconds(), settings.seed() + round * 1_000L);
                    report.add(name, threads, stand.site.target().spec().label(), round, outcome);
                }
            }
            for (Stand stand : stands) {
                stand.work.verify();
            }
            report.table(name, threads);
        } finally {
            for (Stand stand : stands) {
                stand.work.close();
            }
        }
    }

    @Override
    public void close() {
        targets.values().forEach(MongoClient::close);
        targets.keySet().forEach(TargetProcess::close);
    }
}
