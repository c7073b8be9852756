import type { Agent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { http } from './node-http.ts'

/*
 * A connection is used again for the same receiver only. A receiver can leave one behind that looks free and never answers again, and others
 * may have theirs at the same host and port.
 */

/** An option of a request. Node.js hands it on to the agent with the others. */
export interface ForReceiver {
  readonly receiver?: string
}

type NameOptions = Parameters<Agent['getName']>[0] & ForReceiver

export class HttpAgentByReceiver extends http.Agent {
  override getName(options: NameOptions = {}): string {
    return `${super.getName(options)}:${options.receiver}`
  }
}

export class HttpsAgentByReceiver extends HttpsAgent {
  override getName(options: NameOptions = {}): string {
    return `${super.getName(options)}:${options.receiver}`
  }
}
