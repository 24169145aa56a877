// Puts a record by the stream's ARN, describes and reads the stream, and gets an item. Prints the results as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	dynamodbtypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kinesis"
	"github.com/aws/aws-sdk-go-v2/service/kinesis/types"
)

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	prefix, arn, table := os.Args[1], aws.String(os.Args[2]), aws.String(os.Args[3])
	ctx := context.Background()
	settings := must(config.LoadDefaultConfig(ctx))
	client := kinesis.NewFromConfig(settings)
	data := must(json.Marshal(map[string]string{
		"id":            prefix + "-5-created",
		"type":          "account.created",
		"modelid":       "activation",
		"transactionid": prefix + "-5",
	}))
	must(client.PutRecord(ctx, &kinesis.PutRecordInput{
		StreamARN: arn, PartitionKey: aws.String(prefix + "-5"), Data: data,
	}))

	summary := must(client.DescribeStreamSummary(ctx, &kinesis.DescribeStreamSummaryInput{StreamARN: arn}))
	begin := time.Now().Add(-time.Hour)
	found := []string{}
	for _, shard := range must(client.ListShards(ctx, &kinesis.ListShardsInput{StreamARN: arn})).Shards {
		iterator := must(client.GetShardIterator(ctx, &kinesis.GetShardIteratorInput{
			StreamARN:         arn,
			ShardId:           shard.ShardId,
			ShardIteratorType: types.ShardIteratorTypeAtTimestamp,
			Timestamp:         &begin,
		}))
		page := must(client.GetRecords(ctx, &kinesis.GetRecordsInput{ShardIterator: iterator.ShardIterator}))
		for _, record := range page.Records {
			var event struct{ TransactionID string }
			if err := json.Unmarshal(record.Data, &event); err != nil {
				log.Fatal(err)
			}
			if record.ApproximateArrivalTimestamp.After(begin) && strings.HasPrefix(event.TransactionID, prefix) {
				found = append(found, event.TransactionID)
			}
		}
	}
	sort.Strings(found)

	item := must(dynamodb.NewFromConfig(settings).GetItem(ctx, &dynamodb.GetItemInput{
		TableName: table,
		Key: map[string]dynamodbtypes.AttributeValue{
			"pk": &dynamodbtypes.AttributeValueMemberS{Value: "activation#" + prefix + "-1"},
			"sk": &dynamodbtypes.AttributeValueMemberS{Value: "COMMIT#0000000001"},
		},
	})).Item
	fmt.Println(string(must(json.Marshal(map[string]any{
		"stream":  summary.StreamDescriptionSummary.StreamName,
		"created": summary.StreamDescriptionSummary.StreamCreationTimestamp.Year() >= 2026,
		"found":   found,
		"item":    item["pk"].(*dynamodbtypes.AttributeValueMemberS).Value,
	}))))
}
