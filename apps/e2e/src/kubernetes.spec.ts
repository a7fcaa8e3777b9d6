import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { methodsOfTable } from '@invoicing/testing';

// `kubectl kustomize` needs no cluster; where there is no kubectl, what it would read is not checked.
const FOLDER = resolve('deploy/kubernetes');
const hasKubectl = spawnSync('kubectl', ['kustomize', '--help']).status === 0;

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly clusterIP?: string;
    readonly ports?: readonly { readonly name: string; readonly port: number }[];
    readonly ingress?: readonly { readonly from?: readonly Peer[]; readonly ports: readonly { port: string }[] }[];
    readonly template?: { readonly spec: { readonly containers: readonly Container[] } };
    readonly scaleTargetRef?: { readonly name: string };
  };
  readonly data?: Readonly<Record<string, string>>;
}
interface Peer {
  readonly podSelector: { readonly matchExpressions: readonly { readonly values: readonly string[] }[] };
}
interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
}

const SERVICES = ['gateway', 'billing', 'catalog', 'checkout', 'notification', 'application'];

(hasKubectl ? describe : describe.skip)('the manifests for Kubernetes', () => {
  const rendered = hasKubectl ? execFileSync('kubectl', ['kustomize', FOLDER], { encoding: 'utf8' }) : '';
  const all = parseAllDocuments(rendered).map((each) => each.toJSON() as Manifest);
  const one = (kind: string, name: string): Manifest =>
    all.find((each) => each.kind === kind && each.metadata.name === name)!;
  const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    services: Record<string, { command: string[]; environment: Record<string, string> }>;
  };

  it.each(SERVICES)('%s: what runs, on which ports, is what compose says', (name) => {
    const [container] = one('Deployment', `invoicing-${name}`).spec.template!.spec.containers;
    const { command, environment } = compose.services[name]!;
    expect(container!.args).toEqual(command);
    for (const { name: variable, value } of container!.env) expect(String(environment[variable])).toBe(value);
    const opened = container!.ports.filter(({ name: port }) => port !== 'metrics').map((port) => port.containerPort);
    expect(container!.env.map(({ value }) => Number(value))).toEqual(opened);
    const service = one('Service', `invoicing-${name}`).spec;
    expect(service.clusterIP).toBe('None');
    expect(service.ports!.map(({ port }) => port)).toEqual(opened);
    expect(one('HorizontalPodAutoscaler', `invoicing-${name}`).spec.scaleTargetRef!.name).toBe(`invoicing-${name}`);
    expect(one('PodDisruptionBudget', `invoicing-${name}`)).toBeDefined();
  });

  it('the addresses of the services are those of the headless names', () => {
    const { data } = all.find(({ kind }) => kind === 'ConfigMap')!;
    for (const name of SERVICES) {
      const { ports } = one('Service', `invoicing-${name}`).spec;
      const grpc = ports!.find((port) => port.name === 'grpc')!.port;
      expect(data![`${name.toUpperCase()}_ADDRESS`]).toBe(`invoicing-${name}:${grpc}`);
    }
  });

  it.each(SERVICES)('%s: who may connect is who may call a method of it', (name) => {
    const may = methodsOfTable
      .filter(({ path }) => path.startsWith(`/invoicing.${name}.`))
      .flatMap((row) => row.callers);
    const rule = one('NetworkPolicy', `invoicing-${name}`).spec.ingress!.find(
      ({ ports }) => ports[0]!.port === 'grpc',
    )!;
    const named = rule.from!.flatMap(({ podSelector }) => podSelector.matchExpressions.flatMap(({ values }) => values));
    // The gateway asks every other one for its health. A caller outside (platform billing) comes through a policy of its own.
    const expected = [...may, ...(name === 'gateway' ? [] : ['gateway'])];
    expect(new Set(named)).toEqual(new Set(expected.filter((caller) => [...SERVICES, 'admin'].includes(caller))));
  });
});
