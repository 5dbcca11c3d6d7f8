package io.ostraka.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.acceptance.support.ChildProcess;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs in README.md compile as they stand there, and do what they say. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadmeTest {
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("public class (\\w+)");

    @TempDir
    Path folder;

    @Test
    void theFirstSessionInJavaRuns() throws IOException {
        String readme = Files.readString(Path.of("../README.md"), StandardCharsets.UTF_8);
        List<String> programs =
                PROGRAM.matcher(readme).results().map(found -> found.group(1)).toList();
        assertThat(programs).isNotEmpty();
        for (String program : programs) {
            assertThat(run(program)).contains("9.5").doesNotContain("Exception");
        }
    }

    private String run(String program) throws IOException {
        Matcher name = NAME.matcher(program);
        assertThat(name.find()).as(program).isTrue();
        Path source = Files.writeString(folder.resolve(name.group(1) + ".java"), program, StandardCharsets.UTF_8);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            boolean compiled = compiler.getTask(
                            said,
                            files,
                            null,
                            List.of("-d", folder.toString(), "-cp", ChildProcess.classPath()),
                            null,
                            files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as(said.toString()).isTrue();
        }
        try (ChildProcess process = ChildProcess.program(name.group(1), folder)) {
            assertThat(process.await()).as(process.output()).isZero();
            return process.output();
        }
    }
}
