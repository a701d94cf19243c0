/** Finds a page by its name: Ctrl K. */
import { Modal, NavLink, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '../i18n/texts'
import type { NavigationItem } from './navigation-item'
import { shellTexts } from './texts'

const mostShown = 12

export default function PageSearch({
  items,
  onClose,
}: {
  items: readonly NavigationItem[]
  onClose: () => void
}) {
  const t = useTexts(shellTexts)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const word = text.trim().toLowerCase()
  const found = items.filter(({ label, path }) => label().toLowerCase().includes(word) || path.includes(word))
  const first = found[0]
  return (
    <Modal opened onClose={onClose} padding="sm" yOffset="10vh" centered={false} title={t('findPage')}>
      <Stack gap="xs">
        <TextInput
          data-autofocus
          aria-label={t('findPage')}
          placeholder={t('findPage')}
          leftSection={<IconSearch size={16} />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key !== 'Enter' || !first) return
            void navigate({ to: first.path })
            onClose()
          }}
        />
        {found.slice(0, mostShown).map(({ path, label, icon: Icon }) => (
          <NavLink
            key={path}
            component={Link}
            to={path}
            label={label()}
            leftSection={<Icon size={18} />}
            onClick={onClose}
            active={path === first?.path && word !== ''}
          />
        ))}
        {!first && (
          <Text c="dimmed" ta="center" role="status">
            {t('nothingFound')}
          </Text>
        )}
      </Stack>
    </Modal>
  )
}
