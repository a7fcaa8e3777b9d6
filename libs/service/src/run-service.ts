import { type ProcessSettings } from '@invoicing/config';
import { createLogger, startTracing, type Logger } from '@invoicing/telemetry';
import { startMetricsServer } from './metrics-server';
import { runProcess, type ProcessName, type Running } from './run-process';

/**
 * Runs a service as a process of its own: reads its configuration from the environment, says it without secrets, traces, counts, starts
 * it, and stops it in the opposite order.
 */
export function runService<C extends ProcessSettings>(
  name: ProcessName,
  loadConfig: (env: NodeJS.ProcessEnv) => C,
  start: (config: C, log: Logger) => Promise<Running>,
): void {
  runProcess(name, async () => {
    const config = loadConfig(process.env);
    const log = createLogger(name, config.logLevel);
    log.info(config.summary, 'starting');
    const tracing = await startTracing(name, log);
    const metrics = config.metricsPort ? await startMetricsServer(config.metricsHost, config.metricsPort) : undefined;
    const service = await start(config, log);
    return {
      close: async () => {
        await service.close();
        await metrics?.close();
        await tracing.close();
      },
    };
  });
}
