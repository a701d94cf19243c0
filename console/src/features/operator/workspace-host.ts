/** A workspace's host beside that of the operator: `admin.example.com:8080` → `acme.example.com:8080`. */
export function hostOf(id: string): string {
  return `${id}.${location.host.replace(/^[^.]+\./, '')}`
}

/** Where its own console is. */
export function consoleOf(id: string): string {
  return `${location.protocol}//${hostOf(id)}/`
}
