import { runProcess } from '@invoicing/config';
import { createLogger, startMetricsServer, startTracing } from '@invoicing/telemetry';
import { loadConfig } from './config';
import { startGateway } from './service';

runProcess('gateway', async () => {
  const config = loadConfig(process.env);
  const log = createLogger('gateway', config.logLevel);
  log.info(config.summary, 'starting');
  const tracing = await startTracing('gateway', log);
  const metrics = config.metricsPort ? await startMetricsServer(config.rpcHost, config.metricsPort) : undefined;
  const gateway = await startGateway(config, log);
  return {
    close: async () => {
      await gateway.close();
      await metrics?.close();
      await tracing.close();
    },
  };
});
