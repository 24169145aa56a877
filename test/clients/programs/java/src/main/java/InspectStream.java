import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.kinesis.KinesisAsyncClient;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.Record;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;
import software.amazon.awssdk.services.kinesis.model.SubscribeToShardResponseHandler;

/**
 * Puts a record by the stream's ARN, describes and reads the stream, and gets an item. Prints the results as JSON. The
 * asynchronous client uses HTTP/2, and the synchronous client uses HTTP/1.1. Both clients use CBOR.
 */
public class InspectStream {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] arguments) throws Exception {
    String prefix = arguments[0];
    String arn = arguments[1];
    String table = arguments[2];
    try (KinesisAsyncClient asynchronous = KinesisAsyncClient.create();
        KinesisClient kinesis = KinesisClient.create();
        DynamoDbClient dynamoDb = DynamoDbClient.create()) {
      String key = prefix + "-5";
      var event =
          Map.of(
              "id", key + "-created",
              "type", "account.created",
              "modelid", "activation",
              "transactionid", key);
      var data = SdkBytes.fromByteArray(JSON.writeValueAsBytes(event));
      asynchronous
          .putRecord(request -> request.streamARN(arn).partitionKey(key).data(data))
          .get();

      var summary =
          asynchronous
              .describeStreamSummary(request -> request.streamARN(arn))
              .get()
              .streamDescriptionSummary();
      Instant begin = Instant.now().minus(Duration.ofHours(1));
      var found = new TreeSet<String>();
      var foundByOther = new TreeSet<String>();
      for (var shard : kinesis.listShards(request -> request.streamARN(arn)).shards()) {
        var iterator =
            kinesis
                .getShardIterator(
                    request ->
                        request
                            .streamARN(arn)
                            .shardId(shard.shardId())
                            .shardIteratorType(ShardIteratorType.AT_TIMESTAMP)
                            .timestamp(begin))
                .shardIterator();
        for (Record record : kinesis.getRecords(request -> request.shardIterator(iterator)).records())
          if (isOurs(record, prefix, begin)) found.add(keyOf(record));
        var records = asynchronous.getRecords(request -> request.shardIterator(iterator)).get();
        for (Record record : records.records())
          if (isOurs(record, prefix, begin)) foundByOther.add(keyOf(record));
      }
      if (!found.equals(foundByOther)) throw new IllegalStateException("the clients differ");

      var item =
          dynamoDb
              .getItem(
                  request ->
                      request
                          .tableName(table)
                          .key(
                              Map.of(
                                  "pk", AttributeValue.fromS("activation#" + prefix + "-1"),
                                  "sk", AttributeValue.fromS("COMMIT#0000000001"))))
              .item();
      System.out.println(
          JSON.writeValueAsString(
              Map.of(
                  "stream", summary.streamName(),
                  "created",
                      summary.streamCreationTimestamp().isAfter(Instant.parse("2026-01-01T00:00:00Z")),
                  "found", found,
                  "item", item.get("pk").s(),
                  "fanOut", fanOut(asynchronous, arn))));
    }
  }

  private static String keyOf(Record record) throws Exception {
    return JSON.readTree(record.data().asByteArray()).get("transactionid").asText();
  }

  private static boolean isOurs(Record record, String prefix, Instant begin) throws Exception {
    return record.approximateArrivalTimestamp().isAfter(begin) && keyOf(record).startsWith(prefix);
  }

  /** Returns the reason that enhanced fan-out is unavailable. */
  private static String fanOut(KinesisAsyncClient client, String arn) throws InterruptedException {
    var ignored = SubscribeToShardResponseHandler.builder().subscriber(event -> {}).build();
    try {
      client
          .subscribeToShard(
              request ->
                  request
                      .consumerARN(arn + "/consumer/any:1")
                      .shardId("shardId-000000000000")
                      .startingPosition(position -> position.type(ShardIteratorType.LATEST)),
              ignored)
          .get();
      return "subscribed";
    } catch (ExecutionException error) {
      return error.getCause().getMessage();
    }
  }
}
