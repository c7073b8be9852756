import { defineConfig } from 'vitest/config'

// Node's own runner takes the files named *.test.ts.
export default defineConfig({ test: { include: ['*.vitest.ts'] } })
