import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconKey, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { QRCodeSVG } from 'qrcode.react'
import { workspaceQuery } from '../../../api/workspace'
import { Facts } from '../../../design/facts'
import { Copyable } from '../../../design/values'
import { textOf, useTexts } from '../../../i18n/texts'
import type { SipAccount } from '../queries'
import { sipAccountsTexts } from '../texts'
import './settings-sheet.css'

interface Settings {
  account: Pick<SipAccount, 'title' | 'username' | 'domain'>
  password: string
}

/** Registration settings of a phone, shown once: the password cannot be read again. */
export function showSettings({ account, password }: Settings): void {
  modals.open({
    title: textOf(sipAccountsTexts, 'sheet', { title: account.title }),
    size: 'lg',
    closeOnClickOutside: false,
    className: 'jf-sheet',
    children: <SettingsSheet account={account} password={password} />,
  })
}

/** RFC 3261, 19.1: an address with a password. */
function addressOf({ account: { username, domain }, password }: Settings): string {
  return `sip:${username}:${encodeURIComponent(password)}@${domain}`
}

function SettingsSheet({ account, password }: Settings) {
  const t = useTexts(sipAccountsTexts)
  const { username, domain } = account
  const { data } = useQuery(workspaceQuery)
  const { host, port, tls_port, wss_url } = data?.sip ?? {}
  const copied = (what: string, value: string | number | null | undefined) =>
    value ? [[what, <Copyable key={what} value={String(value)} what={what} />] as const] : []
  return (
    <Stack>
      <Alert color="yellow" icon={<IconKey />} className="jf-no-print">
        {t('sheetOnce')}
      </Alert>
      <Group align="flex-start" gap="lg">
        <div className="jf-qr">
          <QRCodeSVG value={addressOf({ account, password })} size={168} marginSize={4} title={t('qr')} />
        </div>
        <div style={{ flex: '1 1 260px', minWidth: 0 }}>
          <Facts
            facts={[
              ...copied(t('username'), username),
              ...copied(t('authName'), username),
              ...copied(t('password'), password),
              ...copied(t('domain'), domain),
              ...(data && !host ? [[t('proxy'), t('proxyUnknown')] as const] : copied(t('proxy'), host)),
              ...copied(t('port'), port),
              ...copied(t('tlsPort'), tls_port),
              ...copied(t('webSocket'), wss_url),
            ]}
          />
        </div>
      </Group>
      <Text size="sm" c="dimmed">
        {t('qrHint')}
      </Text>
      <Group justify="flex-end" className="jf-no-print">
        <Button leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => window.print()}>
          {t('print')}
        </Button>
      </Group>
    </Stack>
  )
}
