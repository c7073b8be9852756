/**
 * Kubernetes describes each Service of a namespace to every container in variables that begin with the name of the Service. For one that is
 * called `sotto`, they are SOTTO_SERVICE_HOST, SOTTO_PORT=tcp://10.0.0.1:80, SOTTO_PORT_80_TCP_ADDR and more. They are no settings of
 * Sotto, though one of them has the name of a setting. See
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
const patterns: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^SOTTO_(?:[A-Z0-9_]+_)?SERVICE_HOST$/, /^/],
  [/^SOTTO_(?=[A-Z0-9_]+$)(?:.+_)?SERVICE_PORT(?:_.+)?$/, /^/],
  [/^SOTTO_(?:[A-Z0-9_]+_)?PORT$/, /^(?:tcp|udp|sctp):\/\//],
  [/^SOTTO_(?:[A-Z0-9_]+_)?PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/, /^/],
]

/** The names of the variables that Kubernetes has set for a Service that is called `sotto`, or `sotto-` and more. */
export function kubernetesNames(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(env)
    .filter(([name, value = '']) =>
      patterns.some(([ofName, ofValue]) => ofName.test(name) && ofValue.test(value)),
    )
    .map(([name]) => name)
}
