/** The systemd unit: one, which runs the supervisor, which runs the parts. */
import { ROOT } from '../settings.mjs'
import { EXIT_CONFIG, STOP_ALL_MS } from '../state.mjs'

/**
 * One unit and not one a part: the supervisor knows which part needs which, when each is ready and how each is stopped
 * without losing calls, and the same code does it without systemd.
 * @param {import('./places.mjs').Places} places
 * @param {string} node path of the node program
 * @param {readonly string[]} folders beside the state that it writes to
 * @returns {string}
 */
export function unitText({ user, state }, node, folders = []) {
  return `# Written by \`jackfield install\`, which writes it anew: put changes into ${'`'}systemctl edit jackfield${'`'}.
[Unit]
Description=Jackfield voice and messaging platform
Documentation=file:${ROOT}/docs/operate/appliance.md
Wants=network-online.target
After=network-online.target time-sync.target
# a database or an address that comes late, as after a power cut, is waited for
StartLimitIntervalSec=0

[Service]
# ready when every part is: the supervisor tells by systemd-notify, its child
Type=notify
NotifyAccess=all
User=${user}
Group=${user}
WorkingDirectory=${ROOT}
Environment=JACKFIELD_HOME=${state}
ExecStart=${node} ${ROOT}/installer/supervisor.mjs
Restart=on-failure
# soon: meanwhile nobody starts a part that dies
RestartSec=2
# wrong settings: starting again does not mend them
RestartPreventExitStatus=${EXIT_CONFIG}
# a part that takes all memory is started again alone, and does not end the others with their calls
OOMPolicy=continue
# the supervisor gives each part its own time, and migrations hours
TimeoutStartSec=infinity
# the supervisor stops the parts in order, the longest of them orderly; an upgrade leaves those that carry calls
KillMode=process
ExecStopPost=${node} ${ROOT}/installer/installation/after-end.mjs
TimeoutStopSec=${STOP_ALL_MS / 1000 + 5}
SyslogIdentifier=jackfield

LimitNOFILE=65536
TasksMax=infinity
UMask=0027

# ports below 1024, and no other right of root's
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${[state, ...folders].join(' ')}
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes

[Install]
WantedBy=multi-user.target
`
}
