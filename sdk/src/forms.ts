/**
 * A form for endpoints that take files: `body: formOf({ file })`, a `File`, or a `Blob` with a `name`. It is
 * sent as multipart/form-data; its type is that of the endpoint's body, which is optional for programs
 * compiled without exactOptionalPropertyTypes.
 */
export function formOf<Body>(fields: Record<string, string | Blob>): NonNullable<Body> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form as unknown as NonNullable<Body>
}
