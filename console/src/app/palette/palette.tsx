/** Ctrl K: finds pages, people, contacts, numbers, flows, calls, and what can be done; by the arrow keys and Enter. */
import { Combobox, Group, Loader, Modal, ScrollArea, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { NumbersIn } from '../../design/phone-number'
import { useTexts } from '../../i18n/texts'
import type { NavigationItem } from '../navigation-item'
import { usePeople } from '../people'
import { useActions } from './actions'
import { type Entry, grouped, matching, withRecent } from './entries'
import { useFound } from './found'
import { recentKeys, remember } from './recent'
import { paletteTexts } from './texts'

/** Typing that pauses this long is searched for. */
const pauseMs = 250

interface PaletteProps {
  items: readonly NavigationItem[]
  onClose: () => void
  /** Shows the list of keys. */
  onKeys: () => void
}

export default function Palette({ items, onClose, onKeys }: PaletteProps) {
  const t = useTexts(paletteTexts)
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text, pauseMs)
  const [recent] = useState(recentKeys)
  const people = usePeople()
  const found = useFound(settled, people)
  const pages = usePages(items)
  const own = [...pages, ...useActions(people, text, onKeys)]
  const isEmpty = text.trim() === ''
  // What was found for an older text is no answer to this one.
  const entries = isEmpty
    ? withRecent(own, recent)
    : [...matching(own, text), ...(settled.trim() === '' ? [] : found.entries)]
  const shown = grouped(entries)
  // It takes Escape for itself.
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose })
  const { selectFirstOption } = combobox
  const first = shown[0]?.entries[0]?.key
  useEffect(() => {
    selectFirstOption()
  }, [selectFirstOption, first, text])
  const choose = (key: string) => {
    const entry = entries.find((one) => one.key === key)
    if (!entry || entry.isRefused) return
    remember(key)
    onClose()
    entry.run()
  }
  const isWaiting = !isEmpty && (found.isAsking || settled !== text)
  return (
    <Modal opened onClose={onClose} padding="sm" yOffset="10vh" centered={false} title={t('find')} size="lg">
      <Combobox store={combobox} onOptionSubmit={choose} withinPortal={false}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            data-autofocus
            role="combobox"
            aria-autocomplete="list"
            aria-label={t('find')}
            placeholder={t('findHint')}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={isWaiting && <Loader size="xs" />}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <ScrollArea.Autosize mah="60vh" mt="xs" type="auto" viewportProps={{ tabIndex: 0 }}>
          <Combobox.Options aria-label={t('find')}>
            {shown.map(({ group, entries: some }) => (
              <Combobox.Group key={group} label={t(`group_${group}`)}>
                {some.map((entry) => (
                  <Option key={entry.key} entry={entry} />
                ))}
              </Combobox.Group>
            ))}
          </Combobox.Options>
        </ScrollArea.Autosize>
        <Text c="dimmed" ta="center" size="sm" role="status">
          {shown.length === 0 && !isWaiting ? t(found.hasFailed ? 'failed' : 'nothingFound') : ''}
        </Text>
      </Combobox>
    </Modal>
  )
}

function Option({ entry: { key, label, hint, isRefused = false, icon: Picture } }: { entry: Entry }) {
  return (
    <Combobox.Option value={key} disabled={isRefused}>
      <Group gap="sm" wrap="nowrap">
        <Picture size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Text span size="sm" truncate>
          <NumbersIn text={label} />
        </Text>
        {hint && (
          <Text span size="xs" c="dimmed" truncate>
            <NumbersIn text={hint} />
          </Text>
        )}
      </Group>
    </Combobox.Option>
  )
}

function usePages(items: readonly NavigationItem[]): Entry[] {
  const navigate = useNavigate()
  return items.map(({ label, path, icon }) => ({
    ...{ key: `page ${path}`, group: 'pages', label: label(), icon, words: path },
    run: () => void navigate({ to: path }),
  }))
}
