import { runProcess } from '@invoicing/config';
import { createLogger, startMetricsServer, startTracing } from '@invoicing/telemetry';
import { loadConfig } from './config';
import { startNotification } from './service';

runProcess('notification', async () => {
  const { config, logLevel, metricsPort, summary } = loadConfig(process.env);
  const log = createLogger('notification', logLevel);
  log.info(summary, 'starting');
  const tracing = await startTracing('notification', log);
  const metrics = metricsPort ? await startMetricsServer(config.host, metricsPort) : undefined;
  const notification = await startNotification(config, log);
  return {
    close: async () => {
      await notification.close();
      await metrics?.close();
      await tracing.close();
    },
  };
});
