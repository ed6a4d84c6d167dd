import { ValueType, type HrTime } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AggregationTemporality, DataPointType, type GaugeMetricData } from '@opentelemetry/sdk-metrics';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { connectThrough, type ProxyRoute } from './proxy-route.ts';

/** Longest wait for the collector to accept the figures, milliseconds; those not accepted by then are not kept. */
const TIMEOUT_MS = 10_000;
const PROGRAM = 'vms-export-agent';

/** One figure of the desk, with its values by labels; without any it is currently unknown. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}

interface Deps {
  /** Address of the collector, including the path for metrics. */
  readonly url: string;
  /** Lines `Name: value`; they may be secret, so nothing repeats them. */
  readonly headers: readonly string[];
  readonly version: string;
  readonly deskId: string;
  readonly route: ProxyRoute;
}

/** Sends the figures to a collector over OpenTelemetry's protocol (OTLP over HTTP, as JSON). */
export interface MetricsPush {
  /** Sends once. Never rejects; the error says why the collector has not accepted it. */
  push(gauges: readonly Gauge[], nowMs: number): Promise<Result<void, string>>;
  stop(): Promise<void>;
}

/** Creates the push; opens nothing yet. This module is loaded only if a policy sets an address. */
export function createMetricsPush({ url, headers, version, deskId, route }: Deps): MetricsPush {
  const secure = new HttpsAgent({ keepAlive: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' });
  connectThrough(secure, route);
  const agent = URL.parse(url)?.protocol === 'https:' ? secure : new HttpAgent({ keepAlive: true });
  const exporter = new OTLPMetricExporter({
    url,
    headers: Object.fromEntries(headers.map((line) => splitHeader(line))),
    timeoutMillis: TIMEOUT_MS,
    httpAgentOptions: () => agent,
  });
  const resource = resourceFromAttributes({
    'service.name': PROGRAM,
    'service.version': version,
    'service.instance.id': deskId,
  });
  return {
    push(gauges, nowMs) {
      const metrics = gauges.map((gauge) => toMetric(gauge, nowMs));
      const scopeMetrics = [{ scope: { name: PROGRAM, version }, metrics }];
      return new Promise((resolve) => {
        exporter.export({ resource, scopeMetrics }, ({ error }) =>
          resolve(error === undefined ? ok(undefined) : err(error.message)),
        );
      });
    },
    async stop() {
      await exporter.shutdown();
      agent.destroy();
    },
  };
}

function splitHeader(line: string): readonly [name: string, value: string] {
  const at = line.indexOf(': ');
  return [line.slice(0, at), line.slice(at + 2)];
}

function toMetric({ name, help, samples }: Gauge, nowMs: number): GaugeMetricData {
  const time: HrTime = [Math.floor(nowMs / 1000), (nowMs % 1000) * 1_000_000];
  return {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.GAUGE,
    dataPoints: samples.map(([attributes, value]) => ({
      startTime: time,
      endTime: time,
      attributes: { ...attributes },
      value,
    })),
  };
}
