package io.ostraka.acceptance.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Rules about classes; Maven holds the arrows between modules. */
class StructureTest {
    /** Modules of several packages. */
    private static final String[] MODULES = {
        "core", "query", "wire", "replication", "node", "sharding", "router", "server"
    };

    @TestFactory
    Stream<DynamicTest> rules() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.ostraka");
        Stream<DynamicTest> reach = Stream.of(
                        only("org.rocksdb..", "io.ostraka.storage.."),
                        only("org.apache.ratis..", "io.ostraka.replication.raft.."),
                        only("com.ibm.icu..", "io.ostraka.query.collation.."),
                        only("org.joni..", "io.ostraka.query.."),
                        only("org.apache.lucene..", "io.ostraka.query.text.."),
                        only("org.tartarus.snowball..", "io.ostraka.query.text.."),
                        only("com.google.common..", "io.ostraka.query.geo.."),
                        only("org.jcodings..", "io.ostraka.query.."),
                        only(
                                "java.net..",
                                "io.ostraka.wire..",
                                "io.ostraka.server.process..",
                                "io.ostraka.replication.raft.." // Ratis asks for an address; it opens none
                                ),
                        only("org.xerial.snappy..", "io.ostraka.wire.."),
                        only("com.github.luben..", "io.ostraka.wire.."),
                        only("ch.qos.logback..", "io.ostraka.server.log.."),
                        only("picocli..", "io.ostraka.server.cli.."),
                        only("org.snakeyaml..", "io.ostraka.server.options.."),
                        only("io.ostraka.server.cli..", "io.ostraka.server.cli.."))
                .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(classes)));
        Stream<DynamicTest> cycles = Stream.of(MODULES)
                .map(module -> slices().matching("io.ostraka." + module + ".(*)..")
                        .should()
                        .beFreeOfCycles())
                .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(classes)));
        ArchRule writers = noClasses()
                .that()
                .resideOutsideOfPackages("io.ostraka.storage..", "io.ostraka.node.apply..", "io.ostraka.node.local..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.ostraka.storage.Batch")
                .as("only the Applier writes the store");
        return Stream.of(
                        reach,
                        cycles,
                        Stream.of(DynamicTest.dynamicTest(writers.getDescription(), () -> writers.check(classes))))
                .flatMap(rules -> rules);
    }

    private static ArchRule only(String library, String... packages) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(packages)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .as("only " + String.join(", ", packages) + " reach " + library);
    }
}
