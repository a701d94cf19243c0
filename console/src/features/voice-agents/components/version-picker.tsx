import { Select } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import type { Version } from '../queries'
import { voiceAgentsTexts } from '../texts'

/** Selects a version of a voice agent. */
export function VersionPicker({
  label,
  versions,
  published,
  value,
  onChange,
  disabled = false,
}: {
  label: string
  versions: readonly Version[]
  published: number | null | undefined
  value: number | undefined
  onChange: (version: number) => void
  disabled?: boolean
}) {
  const t = useTexts(voiceAgentsTexts)
  const data = versions.map(({ version }) => ({
    value: String(version),
    label: t(version === published ? 'versionPublished' : 'version', { version }),
  }))
  return (
    <Select
      label={label}
      data={data}
      value={value === undefined ? null : String(value)}
      allowDeselect={false}
      disabled={disabled}
      onChange={(chosen) => {
        if (chosen) onChange(Number(chosen))
      }}
      w={{ base: '100%', xs: 240 }}
    />
  )
}
