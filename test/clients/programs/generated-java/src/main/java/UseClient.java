import java.util.List;
import java.util.Map;
import milepost.ApiClient;
import milepost.api.EventsApi;
import milepost.api.InstancesApi;
import milepost.api.ModelsApi;
import milepost.model.CloudEvent;
import milepost.model.Instance;

/** Sends two events and reads the instance with a client that is generated from the API description. */
public class UseClient {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);

    CloudEvent created = event("created", "account.created");
    CloudEvent requested = event("requested", "activation.requested").data(Map.of("service", "tv"));
    int accepted = new EventsApi(client).sendEvents(List.of(created, requested)).getAccepted();

    InstancesApi instances = new InstancesApi(client);
    Instance instance = read(instances);
    while (instance == null || !instance.getStatus().equals("Waiting")) {
      Thread.sleep(50);
      instance = read(instances);
    }
    System.out.printf(
        "{\"accepted\":%d,\"status\":\"%s\",\"next\":\"%s\",\"title\":\"%s\"}%n",
        accepted,
        instance.getStatus(),
        instance.getMilestones().get(2).getState(),
        new ModelsApi(client).getModel("activation").getTitle());
  }

  private static CloudEvent event(String id, String type) {
    return new CloudEvent()
        .id(id)
        .source("generated-client")
        .type(type)
        .modelid("activation")
        .transactionid("GENERATED/1");
  }

  private static Instance read(InstancesApi instances) throws Exception {
    try {
      return instances.getInstance("activation", "GENERATED/1", null, null, null);
    } catch (milepost.ApiException e) {
      if (e.getCode() == 404) return null;
      throw e;
    }
  }
}
