import { settingsSchema } from './settings.ts'

/** One setting as the schema describes it. */
export interface DocumentedSetting {
  readonly name: string
  readonly description: string
  /** What it may be set to; completes "must be …". */
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

/** The text of docs/configuration.md. */
export function configurationDocument(): string {
  return `${introduction}\n${documentedSettings().map(sectionOf).join('\n')}`
}

const introduction = `# Configuration

<!-- Generated from packages/server/src/config/settings.ts. Do not edit: run "npm run docs:configuration". -->

Sotto is configured by environment variables. Each has a default, so you need none to begin with. The server and every
command read the same variables.

Nothing starts, and every error is reported at once, when a variable breaks its rule, when it is set but empty (unset it
to get the default; only SOTTO_TRUST_PROXY may be empty), or when its name begins with \`SOTTO_\` and is not listed here.
`

function sectionOf(setting: DocumentedSetting): string {
  return `## \`${setting.name}\`

${setting.description}

- Default: ${setting.default}
- Takes: ${setting.takes}
`
}
