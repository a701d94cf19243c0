/** A workspace's host, from the operator's: `admin.example.com:8080` → `acme.example.com:8080`. */
export function hostOf(id: string): string {
  return `${id}.${location.host.replace(/^[^.]+\./, '')}`
}

/** URL of the workspace's own console. */
export function consoleOf(id: string): string {
  return `${location.protocol}//${hostOf(id)}/`
}
