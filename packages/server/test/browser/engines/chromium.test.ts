import t from 'tap'
import { chromium } from './support/puppeteer.ts'
import { engineOptions, mainWays, plainWays, runWays } from './support/ways.ts'

t.test('the main ways in Chromium', engineOptions(chromium), (t) => runWays(t, chromium, mainWays))

// Promise (Sealed at rest): The pages work with scripts and without, from the invitation to signing out
t.test('the main ways in Chromium without scripts', engineOptions(chromium), (t) =>
  runWays(t, chromium, plainWays, false),
)
