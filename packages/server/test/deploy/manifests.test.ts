import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { kubernetesNames } from '../../src/config/kubernetes.ts'
import { readSettings } from '../../src/config/settings.ts'
import { needsCaddy } from '../support/caddy.ts'

const deploy = join(import.meta.dirname, '..', '..', '..', '..', 'deploy')
const text = (name: string) => readFileSync(join(deploy, name), 'utf8')

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Record<string, string>
  readonly spec?: { readonly selector?: Record<string, unknown> }
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

interface NetworkPolicy {
  readonly podSelector: { readonly matchLabels: Record<string, string> }
  readonly policyTypes: readonly string[]
  readonly ingress: readonly { readonly from: readonly object[]; readonly ports: readonly object[] }[]
}

interface Deployment {
  readonly spec: {
    readonly replicas: number
    readonly strategy: { readonly type: string }
    readonly template: {
      readonly metadata: { readonly labels: Record<string, string> }
      readonly spec: {
        readonly securityContext: Record<string, unknown>
        readonly containers: readonly {
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
          readonly securityContext: Record<string, unknown>
          readonly livenessProbe: Probe
          readonly readinessProbe: Probe
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
          readonly resources: { readonly limits: Record<string, string> }
        }[]
        readonly volumes: readonly {
          readonly name: string
          readonly persistentVolumeClaim?: { readonly claimName: string }
          readonly emptyDir?: object
        }[]
      }
    }
  }
}

const documents = parseAllDocuments(text('kubernetes/sotto.yaml'))
const manifests = documents.map((document) => document.toJS() as Manifest)
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
const deployment = ofKind('Deployment')[0] as unknown as Deployment
const pod = deployment.spec.template.spec
const container = pod.containers[0]

t.test('the Kubernetes manifests are YAML without errors, each with a kind and a name', async (t) => {
  t.equal(manifests.length, 5)
  t.same(
    documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]),
    [],
  )
  for (const { kind, metadata } of manifests) t.match([kind, metadata.name], [/^[A-Z]/, /^[a-z-]+$/])
})

// Promise (Installing and operating): On Kubernetes one replica runs, without root and read-only
t.test('one replica runs at a time, without root and with a root directory that is read-only', async (t) => {
  t.equal(deployment.spec.replicas, 1)
  t.equal(deployment.spec.strategy.type, 'Recreate')
  t.match(pod.securityContext, {
    runAsNonRoot: true,
    runAsUser: 10_001,
    fsGroup: 10_001,
    fsGroupChangePolicy: 'OnRootMismatch',
    seccompProfile: { type: 'RuntimeDefault' },
  })
  t.match(container?.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
})

t.test('the probes ask /healthz and /readyz at the port of the container', async (t) => {
  t.same(container?.livenessProbe.httpGet, { path: '/healthz', port: 'http' })
  t.same(container?.readinessProbe.httpGet, { path: '/readyz', port: 'http' })
  t.match(container?.ports, [{ name: 'http', containerPort: 3000 }])
})

t.test('data and keys are on claims of their own, mounted where the image writes', async (t) => {
  const claims = ofKind('PersistentVolumeClaim').map(({ metadata }) => metadata.name)
  const used = pod.volumes.flatMap(({ persistentVolumeClaim: claim }) => (claim ? [claim.claimName] : []))
  t.same(used, claims)
  const mounted = container?.volumeMounts.map(({ name }) => name)
  t.same(
    mounted,
    pod.volumes.map(({ name }) => name),
    'each volume is mounted',
  )
  t.same(
    container?.volumeMounts.map(({ mountPath }) => mountPath),
    ['/data', '/keys', '/tmp'],
  )
  t.match(text('container/Containerfile'), /VOLUME \["\/data", "\/keys"\]/)
})

t.test('no Service has a name for which Kubernetes sets variables that look like settings', async (t) => {
  for (const { metadata, spec } of ofKind('Service')) {
    const variable = `${metadata.name.toUpperCase().replaceAll('-', '_')}_SERVICE_HOST`
    t.same(kubernetesNames({ [variable]: '10.0.0.1' }), [], variable)
    t.same(spec?.selector, deployment.spec.template.metadata.labels, 'it finds the pods')
  }
  t.same(kubernetesNames({ SOTTO_SERVICE_HOST: '10.0.0.1' }), ['SOTTO_SERVICE_HOST'], 'one called sotto does')
})

// Promise (Installing and operating): On Kubernetes one replica runs, without root and read-only: and only the ingress controller may
// connect to it
t.test('only the ingress controller of one namespace may connect', async (t) => {
  const policy = parse(text('kubernetes/network-policy.yaml')) as { readonly spec: NetworkPolicy }
  const { podSelector, policyTypes, ingress } = policy.spec
  t.match(policy, { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' })
  t.same(podSelector.matchLabels, deployment.spec.template.metadata.labels, 'it finds the pods')
  t.same(policyTypes, ['Ingress'])
  t.equal(ingress.length, 1)
  // Both in one entry: two entries would allow the whole namespace, and such pods of any namespace.
  t.equal(ingress[0]?.from.length, 1)
  t.same(Object.keys(ingress[0]?.from[0] ?? {}), ['namespaceSelector', 'podSelector'])
  t.same(ingress[0]?.ports, [{ port: 'http' }])
})

t.test('the settings of the manifests are known and valid', async (t) => {
  for (const { data = {} } of ofKind('ConfigMap')) {
    const settings = readSettings(data, '/opt/sotto')
    t.ok(settings.isOk(), JSON.stringify(settings))
  }
  const { environment } = compose.services.sotto
  const values = Object.entries(environment).map(([name, value]) => [name, withNames(value)])
  t.ok(readSettings(Object.fromEntries(values) as Record<string, string>, '/opt/sotto').isOk())
})

interface Service {
  readonly environment: Record<string, string>
  readonly volumes: readonly string[]
  readonly networks: Record<string, { readonly ipv4_address: string }>
  readonly read_only?: boolean
  readonly cap_drop: readonly string[]
  readonly security_opt: readonly string[]
  readonly ports?: readonly string[]
}

const compose = parse(text('container/compose.yaml')) as {
  readonly services: { readonly sotto: Service; readonly caddy: Service }
  readonly volumes: Record<string, null>
  readonly networks: Record<string, { ipam: { config: readonly { subnet: string }[] } }>
}

/** What compose puts in the place of `${SITE}` and `${LINK_SITE}`. */
function withNames(value: string): string {
  return value
    .replaceAll(/\$\{LINK_SITE[^}]*\}/g, 's.example.org')
    .replaceAll(/\$\{SITE[^}]*\}/g, 'a.example.org')
}

t.test(
  'compose runs the service read-only, without capabilities, reachable through Caddy alone',
  async (t) => {
    const { sotto, caddy } = compose.services
    t.match(sotto, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    t.notOk(sotto.ports)
    t.same(Object.keys(caddy.networks), Object.keys(sotto.networks))
    const mounts = [...sotto.volumes, ...caddy.volumes].map((volume) => volume.split(':')[0] ?? '')
    const files = mounts.filter((name) => name.startsWith('.'))
    t.same(
      mounts.filter((name) => !files.includes(name)),
      Object.keys(compose.volumes),
    )
    for (const file of files) t.ok(existsSync(join(deploy, 'container', file)), file)
  },
)

// Promise (Installing and operating): Compose trusts the address of Caddy alone
t.test('compose trusts the address of Caddy alone, and both containers have fixed addresses', async (t) => {
  const { sotto, caddy } = compose.services
  const { subnet } = compose.networks['inside']?.ipam.config[0] ?? {}
  const addresses = [sotto, caddy].map(({ networks }) => networks['inside']?.ipv4_address ?? '')
  t.equal(sotto.environment['SOTTO_TRUST_PROXY'], addresses[1])
  t.equal(new Set(addresses).size, 2)
  for (const address of addresses) t.match(`${address.replace(/\d+$/, '0')}/24`, subnet, 'in the network')
})

t.test('compose publishes on IPv4 only, because its network has no IPv6', async (t) => {
  for (const port of compose.services.caddy.ports ?? []) t.match(port, /^0\.0\.0\.0:/)
})

t.test('compose has no variable in the default of another', async (t) => {
  // docker-compose 1 and podman-compose 1.0 take such a default literally.
  t.notMatch(text('container/compose.yaml'), /\$\{[^}]*\$/)
})

t.test('the Caddyfile is valid, with one name and with two', needsCaddy, async (t) => {
  for (const LINK_SITE of ['a.example.org', 's.example.org']) {
    const { status, stderr } = spawnSync(
      'caddy',
      ['validate', '--adapter', 'caddyfile', '--config', join(deploy, 'container', 'Caddyfile')],
      { encoding: 'utf8', env: { ...process.env, SITE: 'a.example.org', LINK_SITE, HOME: t.testdir() } },
    )
    t.equal(status, 0, stderr)
  }
})
