import { type Alarm, AlarmStatusWidget, ConcreteWidget } from 'aws-cdk-lib/aws-cloudwatch';

/**
 * The maximum number of alarms in a widget.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */
const maximumAlarms = 100;

const [width, height] = [24, 4];

/**
 * A row with the status of alarms, including alarms that are added later. Each widget in the row shows up to 100
 * alarms.
 */
export class AlarmsWidget extends ConcreteWidget {
  readonly #alarms: readonly Alarm[];

  constructor(alarms: readonly Alarm[]) {
    super(width, height);
    this.#alarms = alarms;
  }

  override toJson(): unknown[] {
    const count = Math.ceil(this.#alarms.length / maximumAlarms);
    const share = Math.floor(width / count);
    return Array.from({ length: count }, (_, index) => {
      const start = index * maximumAlarms;
      const alarms = this.#alarms.slice(start, start + maximumAlarms);
      const widget = new AlarmStatusWidget({ title: 'Alarms', alarms, width: share, height });
      widget.position((this.x ?? 0) + index * share, this.y ?? 0);
      return widget.toJson();
    }).flat();
  }
}
