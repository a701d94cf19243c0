/** The roles that the console knows, and which pages each has. */
import { useMe } from '../api/me'
import { type Session, useSession } from '../session/session'

export type Person = 'agent' | 'supervisor' | 'admin' | 'operator'

interface Rights {
  role?: 'member' | 'leader' | 'supervisor' | undefined
  is_admin?: boolean | undefined
}

/** One user may have several: a supervisor who is an admin, too. */
export function peopleOf(session: Session | null, me: Rights | undefined): ReadonlySet<Person> {
  if (session?.kind === 'operator') return new Set(['operator'])
  if (session?.kind === 'api_key' || session?.kind === 'entry') return new Set(['admin'])
  if (session?.kind !== 'agent') return new Set()
  const people = new Set<Person>(['agent'])
  if (me?.role === 'leader' || me?.role === 'supervisor') people.add('supervisor')
  if (me?.is_admin) people.add('admin')
  return people
}

export function usePeople(): ReadonlySet<Person> {
  return peopleOf(useSession(), useMe())
}
