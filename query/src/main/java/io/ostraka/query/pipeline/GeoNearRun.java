package io.ostraka.query.pipeline;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.filter.GeoTests;
import io.ostraka.query.run.RunContext;
import java.util.Optional;
import org.bson.BsonDouble;

/** What {@code $geoNear} tells of each document that comes in the order of distances. */
final class GeoNearRun {
    private GeoNearRun() {}

    static RawDocument told(Stage.GeoNear stage, RawDocument document, RunContext context) {
        Optional<GeoTests.Nearest> nearest =
                GeoTests.nearest(document, stage.key().orElseThrow(), stage.near());
        RawDocument told = document;
        if (nearest.isPresent()) {
            BsonDouble distance = new BsonDouble(nearest.get().distance() * stage.multiplier());
            told = PathSetting.set(told, stage.distanceField(), distance, context);
            if (stage.includeLocs().isPresent()) {
                told = PathSetting.set(
                        told, stage.includeLocs().get(), nearest.get().place(), context);
            }
        }
        return told;
    }
}
