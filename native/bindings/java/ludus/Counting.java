package ludus;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import ludus.judge.Judge;

/** Answers what is asked about the work of a judged agent. */
final class Counting {
    private static final int JUDGE = 4, BUDGET = 5, UNITS = 6, PROFILE = 7;
    private static final int MOST_BYTES = 60_000;
    private static final byte[] NOTHING = {};

    private final AgentClass agentClass;
    private Judge judge;

    Counting(AgentClass agentClass) {
        this.agentClass = agentClass;
    }

    byte[] answer(int kind, ByteBuffer request) {
        switch (kind) {
            case JUDGE:
                judge = agentClass.judge(request.get() != 0);
                return NOTHING;
            case BUDGET:
                Judge.begin(request.getLong(), request.getLong());
                return NOTHING;
            case UNITS:
                return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(Judge.used()).array();
            case PROFILE:
                return join(judge.profile()).getBytes(StandardCharsets.UTF_8);
            default:
                throw new IllegalArgumentException("no request " + kind);
        }
    }

    /** Returns the dearest lines, as many as an answer has room for. */
    private static String join(List<String> lines) {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            if (text.length() + line.length() > MOST_BYTES) {
                break;
            }
            text.append(line).append('\n');
        }
        return text.toString();
    }
}
