import { readFileSync } from 'node:fs'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { readSettings } from '../../src/config/settings.ts'

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Record<string, string>
  readonly stringData?: Record<string, string>
  readonly spec?: Record<string, unknown>
}

const manifestsOf = (name: string) =>
  parseAllDocuments(
    readFileSync(new URL(`../../../../deploy/kubernetes/${name}`, import.meta.url), 'utf8'),
  ).map((document) => {
    if (document.errors.length + document.warnings.length > 0) throw new Error(`${name} is no valid YAML`)
    return document.toJS() as Manifest
  })
const onPostgres = manifestsOf('sotto-postgres.yaml')
const ofKind = (manifests: readonly Manifest[], kind: string) =>
  manifests.find((manifest) => manifest.kind === kind)

t.test('the settings of the manifests for PostgreSQL are valid, and the URL is in a Secret', async (t) => {
  const settings = ofKind(onPostgres, 'ConfigMap')?.data ?? {}
  const secret = ofKind(onPostgres, 'Secret')?.stringData ?? {}
  t.notOk('SOTTO_DATABASE_URL' in settings)
  const read = readSettings({ ...settings, ...secret }, '/opt/sotto')
  t.ok(read.isOk(), JSON.stringify(read))
  t.same(Object.keys(secret), ['SOTTO_DATABASE_URL'])
})

t.test(
  'the deployment on PostgreSQL is that of SQLite but for volumes, strategy and the Secret',
  async (t) => {
    interface Pod {
      containers: Record<string, unknown>[]
      volumes: { name: string }[]
    }
    const podOf = (manifests: readonly Manifest[]): Pod =>
      (ofKind(manifests, 'Deployment')?.spec?.['template'] as { spec: Pod }).spec
    const [pod, other] = [podOf(onPostgres), podOf(manifestsOf('sotto.yaml'))]
    const without = ({ envFrom: _, volumeMounts: __, ...rest }: Record<string, unknown> = {}) => rest
    t.same(without(pod.containers[0]), without(other.containers[0]))
    t.same({ ...pod, containers: [], volumes: [] }, { ...other, containers: [], volumes: [] })
    t.match(ofKind(onPostgres, 'Deployment')?.spec, { strategy: { type: 'RollingUpdate' } })
    t.match(pod.containers[0]?.['envFrom'], [
      { configMapRef: { name: ofKind(onPostgres, 'ConfigMap')?.metadata.name } },
      { secretRef: { name: ofKind(onPostgres, 'Secret')?.metadata.name } },
    ])
    t.same(
      pod.volumes.map(({ name }) => name),
      ['keys', 'tmp'],
    )
    t.match(ofKind(onPostgres, 'PersistentVolumeClaim')?.spec, { accessModes: ['ReadWriteMany'] })
  },
)
