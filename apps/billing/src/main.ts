import { runProcess } from '@invoicing/config';
import { createLogger, startMetricsServer, startTracing } from '@invoicing/telemetry';
import { loadConfig } from './config';
import { startBilling } from './service';

runProcess('billing', async () => {
  const config = loadConfig(process.env);
  const log = createLogger('billing', config.logLevel);
  log.info(config.summary, 'starting');
  const tracing = await startTracing('billing', log);
  const metrics = config.metricsPort ? await startMetricsServer(config.host, config.metricsPort) : undefined;
  const billing = await startBilling(config, log);
  return {
    close: async () => {
      await billing.close();
      await metrics?.close();
      await tracing.close();
    },
  };
});
