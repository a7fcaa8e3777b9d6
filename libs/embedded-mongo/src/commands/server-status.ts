import { arch, cpus, hostname, release, totalmem, type as osType, version as osVersion } from 'node:os';
import { CommandError } from '../command-error';
import { typeName } from '../bson/type-name';
import { type Doc } from '../bson/value';
import { type Handler } from './command';
import { version } from './version';

const megabyte = 1024 * 1024;

const longs = (counters: Record<string, number>): Doc =>
  Object.fromEntries(Object.entries(counters).map(([name, count]) => [name, BigInt(count)]));

/** Everything there is; the sections that a client names are not left out. */
export const serverStatus: Handler = ({ engine }) => {
  const { connections, network, opcounters } = engine.metrics;
  const uptime = Date.now() - engine.startedAt.getTime();
  return {
    host: hostname(),
    version,
    process: 'embedded-mongo',
    pid: BigInt(process.pid),
    uptime: uptime / 1000,
    uptimeMillis: BigInt(uptime),
    uptimeEstimate: BigInt(Math.trunc(uptime / 1000)),
    localTime: new Date(),
    connections: {
      current: connections.current,
      available: maxConnections - connections.current,
      totalCreated: BigInt(connections.totalCreated),
    },
    network: longs(network),
    opcounters: longs(opcounters),
    mem: { bits: 64, resident: Math.round(process.memoryUsage.rss() / megabyte), supported: true },
    metrics: { cursor: { open: { total: BigInt(engine.cursors.count) } } },
    storageEngine: { name: 'lmdb', supportsCommittedReads: true, persistent: true },
  };
};

/** MongoDB's own ceiling; here the system's limit of open files comes first. */
const maxConnections = 1_000_000;

/** `hostInfo`. */
export const hostInfo: Handler = () => ({
  system: {
    currentTime: new Date(),
    hostname: hostname(),
    cpuAddrSize: 64,
    memSizeMB: BigInt(Math.trunc(totalmem() / megabyte)),
    memLimitMB: BigInt(Math.trunc((process.constrainedMemory() || totalmem()) / megabyte)),
    numCores: cpus().length,
    cpuArch: arch(),
    numaEnabled: false,
  },
  os: { type: osType(), name: osVersion(), version: release() },
  extra: { versionString: `${osType()} ${release()}`, cpuFrequencyMHz: String(cpus()[0]?.speed ?? 0) },
});

const warning = 'Access control is not enabled for the database. Read and write access to data is unrestricted';

/** The last lines of the log, and what is to be warned of at the start. */
export const getLog: Handler = ({ body, engine }): Doc => {
  const name = body.getLog!;
  if (typeof name !== 'string')
    throw new CommandError('TypeMismatch', `Argument to getLog must be of type String; found ${typeName(name)}`);
  if (name === '*') return { names: ['global', 'startupWarnings'] };
  if (name === 'startupWarnings') {
    const line = { t: { $date: engine.startedAt.toISOString() }, s: 'W', msg: warning };
    return { totalLinesWritten: 1, log: [JSON.stringify(line)] };
  }
  if (name === 'global') return { ...engine.recentLog.recent };
  throw new CommandError('OperationFailed', `no RecentLog named: ${name}`);
};
