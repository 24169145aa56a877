import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import software.amazon.awssdk.services.cloudwatch.CloudWatchAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.kinesis.KinesisAsyncClient;
import software.amazon.kinesis.common.ConfigsBuilder;
import software.amazon.kinesis.common.InitialPositionInStream;
import software.amazon.kinesis.common.InitialPositionInStreamExtended;
import software.amazon.kinesis.common.KinesisClientUtil;
import software.amazon.kinesis.coordinator.Scheduler;
import software.amazon.kinesis.exceptions.InvalidStateException;
import software.amazon.kinesis.exceptions.ShutdownException;
import software.amazon.kinesis.lifecycle.events.InitializationInput;
import software.amazon.kinesis.lifecycle.events.LeaseLostInput;
import software.amazon.kinesis.lifecycle.events.ProcessRecordsInput;
import software.amazon.kinesis.lifecycle.events.ShardEndedInput;
import software.amazon.kinesis.lifecycle.events.ShutdownRequestedInput;
import software.amazon.kinesis.metrics.NullMetricsFactory;
import software.amazon.kinesis.processor.RecordProcessorCheckpointer;
import software.amazon.kinesis.processor.ShardRecordProcessor;
import software.amazon.kinesis.processor.SingleStreamTracker;
import software.amazon.kinesis.retrieval.KinesisClientRecord;
import software.amazon.kinesis.retrieval.polling.PollingConfig;

/**
 * Reads a stream with the Kinesis Client Library, which polls the shards and keeps leases and checkpoints in DynamoDB.
 * Stops, with a checkpoint, after the record with the given partition key. Prints this record.
 */
public class ConsumeStream {
  public static void main(String[] arguments) throws Exception {
    String stream = arguments[0];
    String key = arguments[1];
    var found = new CountDownLatch(1);
    var begin =
        InitialPositionInStreamExtended.newInitialPosition(InitialPositionInStream.TRIM_HORIZON);
    var kinesis = KinesisClientUtil.createKinesisAsyncClient(KinesisAsyncClient.builder());
    var configs =
        new ConfigsBuilder(
            new SingleStreamTracker(stream, begin),
            "consume-stream",
            kinesis,
            DynamoDbAsyncClient.create(),
            CloudWatchAsyncClient.create(),
            UUID.randomUUID().toString(),
            () -> new Processor(key, found));
    var scheduler =
        new Scheduler(
            configs.checkpointConfig(),
            configs.coordinatorConfig(),
            configs.leaseManagementConfig(),
            configs.lifecycleConfig(),
            configs.metricsConfig().metricsFactory(new NullMetricsFactory()),
            configs.processorConfig(),
            configs.retrievalConfig().retrievalSpecificConfig(new PollingConfig(stream, kinesis)));
    var worker = new Thread(scheduler);
    worker.setDaemon(true);
    worker.start();
    found.await();
    scheduler.startGracefulShutdown().get();
    System.exit(0);
  }

  private record Processor(String key, CountDownLatch found) implements ShardRecordProcessor {
    @Override
    public void initialize(InitializationInput input) {}

    @Override
    public void processRecords(ProcessRecordsInput input) {
      for (KinesisClientRecord each : input.records()) {
        if (!each.partitionKey().equals(key)) continue;
        System.out.println(StandardCharsets.UTF_8.decode(each.data()));
        checkpoint(input.checkpointer());
        found.countDown();
      }
    }

    @Override
    public void leaseLost(LeaseLostInput input) {}

    @Override
    public void shardEnded(ShardEndedInput input) {
      checkpoint(input.checkpointer());
    }

    @Override
    public void shutdownRequested(ShutdownRequestedInput input) {
      checkpoint(input.checkpointer());
    }

    private static void checkpoint(RecordProcessorCheckpointer checkpointer) {
      try {
        checkpointer.checkpoint();
      } catch (InvalidStateException | ShutdownException error) {
        throw new IllegalStateException(error);
      }
    }
  }
}
