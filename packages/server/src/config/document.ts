import { settingsSchema } from './settings-schema.ts'

/** One setting as the schema describes it. */
export interface DocumentedSetting {
  readonly name: string
  readonly description: string
  /** What it may be set to; completes "must be …". */
  readonly takes: string
  /** The default in Markdown. */
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

<!-- Generated from packages/server/src/config/settings-schema.ts. Do not edit: run "npm run write configuration". -->

Sotto is configured by environment variables, and below them by a settings file. Each setting has a default, so you need none to begin with.
Put your settings into \`sotto.env\`, and run the server and every command in its directory, so that all read the same ones.

\`\`\`ini
# sotto.env, mode 0600
SOTTO_BASE_URL=https://sotto.example.org
SOTTO_DATA_DIR=/var/lib/sotto/data
SOTTO_KEYS_FILE=/var/lib/sotto/keys/sotto-keys.json
\`\`\`

Nothing starts, and all errors are reported together, when

- a variable breaks its rule;
- a variable is set but empty: unset it to get the default (only SOTTO_TRUST_PROXY and SOTTO_WEBHOOK_ALLOW may be empty);
- the name of a variable begins with \`SOTTO_\` and is not listed here;
- the settings file holds any other name, or other users can read it, or it belongs to one of them other than root.

\`SOTTO_URL\` and \`SOTTO_TOKEN\` are variables of \`sotto share\`, so they are ignored in the environment.

Kubernetes sets variables such as \`SOTTO_PORT=tcp://10.0.0.1:80\` and \`SOTTO_SERVICE_HOST\` in every container when there is
a Service with the name \`sotto\` (or one that begins with \`sotto-\`). They are ignored, and the server's log names them.
`

function sectionOf(setting: DocumentedSetting): string {
  return `## \`${setting.name}\`

${setting.description}\\
**Default:** ${setting.default}. **Takes** ${setting.takes}.
`
}
