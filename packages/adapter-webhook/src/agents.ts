import type { Agent, AgentOptions } from 'node:http'
import { Agent as HttpsAgent, type AgentOptions as HttpsAgentOptions } from 'node:https'
import type { Duplex } from 'node:stream'
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
  constructor(options: AgentOptions) {
    super(options)
    boundIdle(this)
  }

  override getName(options: NameOptions = {}): string {
    return `${super.getName(options)}:${options.receiver}`
  }
}

export class HttpsAgentByReceiver extends HttpsAgent {
  constructor(options: HttpsAgentOptions) {
    super(options)
    boundIdle(this)
  }

  override getName(options: NameOptions = {}): string {
    return `${super.getName(options)}:${options.receiver}`
  }
}

/**
 * The most receivers that have idle connections of an agent at the same time. A connection to any other one is closed after its message.
 */
const idleReceiversMax = 64

function boundIdle(agent: Agent): void {
  // This listener runs before the agent's own, which does not keep a socket that is destroyed.
  agent.prependListener('free', (socket: Duplex, options: NameOptions) => {
    const idle = Object.keys(agent.freeSockets)
    if (idle.length >= idleReceiversMax && !idle.includes(agent.getName(options))) socket.destroy()
  })
}
