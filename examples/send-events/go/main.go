package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math/rand"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/kinesis"
	"github.com/aws/aws-sdk-go-v2/service/kinesis/types"
)

const stream = "milepost-events"

// Event is a CloudEvent for Milepost.
type Event struct {
	SpecVersion   string    `json:"specversion"`
	ID            string    `json:"id"`
	Source        string    `json:"source"`
	Type          string    `json:"type"`
	Time          time.Time `json:"time"`
	ModelID       string    `json:"modelid"`
	TransactionID string    `json:"transactionid"`
}

// deviceCreated creates an event. The id is derived from what happened, so a retry sends a duplicate, which has no effect.
func deviceCreated(device string) Event {
	return Event{
		SpecVersion:   "1.0",
		ID:            device + "-created",
		Source:        "go-example",
		Type:          "account.created",
		Time:          time.Now().UTC(),
		ModelID:       "activation",
		TransactionID: device,
	}
}

// sendAll sends up to 500 events, and retries those that Kinesis rejects. Retries can change the order of an instance's events.
func sendAll(ctx context.Context, client *kinesis.Client, events []Event) error {
	var records []types.PutRecordsRequestEntry
	for _, event := range events {
		data, err := json.Marshal(event)
		if err != nil {
			return err
		}
		// With the transaction id as the partition key, the events of an instance stay in order.
		key := aws.String(event.TransactionID)
		records = append(records, types.PutRecordsRequestEntry{PartitionKey: key, Data: data})
	}
	for attempt := 1; attempt <= 8; attempt++ {
		response, err := client.PutRecords(ctx, &kinesis.PutRecordsInput{
			StreamName: aws.String(stream),
			Records:    records,
		})
		if err != nil {
			return err
		}
		if aws.ToInt32(response.FailedRecordCount) == 0 {
			return nil
		}
		var rejected []types.PutRecordsRequestEntry
		for i, result := range response.Records {
			if result.ErrorCode != nil {
				rejected = append(rejected, records[i])
			}
		}
		records = rejected
		time.Sleep(time.Duration(rand.Int63n(int64(100*time.Millisecond) << attempt)))
	}
	return fmt.Errorf("%d events were not sent", len(records))
}

func main() {
	ctx := context.Background()
	settings, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		log.Fatal(err)
	}
	client := kinesis.NewFromConfig(settings)

	event := deviceCreated("GO-1")
	data, err := json.Marshal(event)
	if err != nil {
		log.Fatal(err)
	}
	response, err := client.PutRecord(ctx, &kinesis.PutRecordInput{
		StreamName:   aws.String(stream),
		PartitionKey: aws.String(event.TransactionID),
		Data:         data,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("sent GO-1 as", aws.ToString(response.SequenceNumber))

	if err := sendAll(ctx, client, []Event{
		deviceCreated("GO-2"), deviceCreated("GO-3"), deviceCreated("GO-4"),
	}); err != nil {
		log.Fatal(err)
	}
	fmt.Println("sent GO-2 to GO-4")
}
