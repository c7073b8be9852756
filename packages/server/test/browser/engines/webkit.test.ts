import t from 'tap'
import { engineOptions, mainWays, runWays } from './support/ways.ts'
import { webkit } from './support/webkit.ts'

// Promise (Sealed at rest): After signing out, the browser's back button shows nothing, also where browsers keep pages as they were
t.test('the main ways in WebKit', engineOptions(webkit), (t) => runWays(t, webkit, mainWays))
