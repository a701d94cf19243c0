/** When the hour and the day of a moment began, in UTC. */
export function beginnings(now: Date): { hour: Date; day: Date } {
  const hour = new Date(now)
  hour.setUTCMinutes(0, 0, 0)
  const day = new Date(hour)
  day.setUTCHours(0)
  return { hour, day }
}
