import t from 'tap'
import { firefox } from './support/puppeteer.ts'
import { engineOptions, mainWays, runWays } from './support/ways.ts'

// Promise (The owner's pages): The main ways of owners, recipients and strangers work in Chromium, Firefox and WebKit
t.test('the main ways in Firefox', engineOptions(firefox), (t) => runWays(t, firefox, mainWays))
