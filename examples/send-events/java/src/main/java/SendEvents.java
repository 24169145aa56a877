import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequestEntry;
import software.amazon.awssdk.services.kinesis.model.PutRecordsResponse;

public class SendEvents {
  private static final String STREAM = "milepost-events";
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] arguments) throws Exception {
    try (KinesisClient kinesis = KinesisClient.create()) {
      var event = deviceCreated("JAVA-1");
      var response =
          kinesis.putRecord(
              request -> request.streamName(STREAM).partitionKey(keyOf(event)).data(dataOf(event)));
      System.out.println("sent JAVA-1 as " + response.sequenceNumber());

      sendAll(kinesis, Stream.of("JAVA-2", "JAVA-3", "JAVA-4").map(SendEvents::deviceCreated).toList());
      System.out.println("sent JAVA-2 to JAVA-4");
    }
  }

  /** Creates an event. The id is derived from what happened, so a retry sends a duplicate, which has no effect. */
  private static Map<String, Object> deviceCreated(String device) {
    return Map.of(
        "specversion", "1.0",
        "id", device + "-created",
        "source", "java-example",
        "type", "account.created",
        "time", Instant.now().toString(),
        "modelid", "activation",
        "transactionid", device);
  }

  /** Returns the partition key: the transaction id, so the events of an instance stay in order. */
  private static String keyOf(Map<String, Object> event) {
    return (String) event.get("transactionid");
  }

  private static SdkBytes dataOf(Map<String, Object> event) {
    try {
      return SdkBytes.fromByteArray(JSON.writeValueAsBytes(event));
    } catch (JsonProcessingException cause) {
      throw new IllegalArgumentException("not an event: " + event, cause);
    }
  }

  /** Sends up to 500 events, and retries those that Kinesis rejects. Retries can change the order of an instance's events. */
  private static void sendAll(KinesisClient kinesis, List<Map<String, Object>> events)
      throws InterruptedException {
    List<PutRecordsRequestEntry> records = new ArrayList<>();
    for (var event : events)
      records.add(
          PutRecordsRequestEntry.builder().partitionKey(keyOf(event)).data(dataOf(event)).build());
    for (int attempt = 1; attempt <= 8; attempt++) {
      var batch = records;
      PutRecordsResponse response =
          kinesis.putRecords(request -> request.streamName(STREAM).records(batch));
      if (response.failedRecordCount() == 0) return;
      records = new ArrayList<>();
      for (int index = 0; index < batch.size(); index++)
        if (response.records().get(index).errorCode() != null) records.add(batch.get(index));
      Thread.sleep(ThreadLocalRandom.current().nextLong(100L << attempt));
    }
    throw new IllegalStateException(records.size() + " events were not sent");
  }
}
