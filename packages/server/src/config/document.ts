import { settingsSchema } from './settings.ts'

/** What the schema tells of one setting. */
export interface DocumentedSetting {
  readonly name: string
  readonly description: string
  /** What it may be set to, to be read behind «must be». */
  readonly takes: string
  /** In Markdown. */
  readonly default: string
}

/** Every setting in the order of the schema. */
export function documentedSettings(): DocumentedSetting[] {
  return Object.entries(settingsSchema.properties).map(([name, schema]) => {
    const { description, takes, derived, ...rest } = schema as unknown as {
      description: string
      takes: string
      derived?: string
      default?: string
    }
    return { name, description, takes, default: derived ?? (rest.default ? `\`${rest.default}\`` : 'empty') }
  })
}

/** docs/configuration.md, whole. */
export function configurationDocument(): string {
  return `${introduction}\n${documentedSettings().map(sectionOf).join('\n')}`
}

const introduction = `# Configuration

<!-- Generated from packages/server/src/config/settings.ts. Do not edit: run "npm run docs:configuration". -->

Sotto is configured by environment variables. Each has a default, so none is needed to begin with. The server and every
command read the same ones.

The start is refused, with every fault named at once, when a variable breaks its rule, when it is set but empty (unset it
to get the default; SOTTO_TRUST_PROXY alone may be empty), or when its name begins with \`SOTTO_\` and is not listed here.
`

function sectionOf(setting: DocumentedSetting): string {
  return `## \`${setting.name}\`

${setting.description}

- Default: ${setting.default}
- Takes: ${setting.takes}
`
}
