/** A row as it is shown, with its times in ISO 8601. */
export function withTimes<T extends { created_at: Date; updated_at: Date }>({
  created_at,
  updated_at,
  ...row
}: T) {
  return { ...row, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() }
}
