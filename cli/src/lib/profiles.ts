/** Profiles of `jackfield login`: URL and credential, readable by the owner only. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Connection } from './appliance-file.js'

interface ProfileFile {
  profiles: Record<string, Connection & { workspace?: string }>
}

/** A profile; `workspace` is the default of commands. */
export type Profile = ProfileFile['profiles'][string]

function profilePath(): string {
  const base = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  return join(base, 'jackfield', 'profiles.json')
}

async function readAll(): Promise<ProfileFile> {
  const text = await readFile(profilePath(), 'utf8').catch(() => null)
  return text === null ? { profiles: {} } : (JSON.parse(text) as ProfileFile)
}

export async function findProfile(name: string): Promise<Profile | null> {
  return (await readAll()).profiles[name] ?? null
}

/** Saves a profile and returns the file's path. */
export async function saveProfile(name: string, profile: Profile): Promise<string> {
  const path = profilePath()
  const file = await readAll()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const content = { profiles: { ...file.profiles, [name]: profile } }
  // writeFile's mode applies to new files only: restrict an existing one before writing a secret.
  await chmod(path, 0o600).catch(() => undefined)
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  return path
}
