"""CalDAV servers on the loopback address for tests: Radicale, Xandikos, DAViCal, Cyrus and sabre/dav."""

from __future__ import annotations

import base64
import getpass
import glob
import imaplib
import os
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from xml.etree import ElementTree


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def memory() -> str | None:
    """A folder in memory, where nobody waits for the disk; `None` for the usual one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Server:
    """Radicale with the users `ana` and `bo` and the password `secret`, as long as the `with` block runs.

    With `tls` it has a certificate that it signed itself, in the file `certificate`."""

    home = "ana/"
    password = "secret"
    # The address for clients that do not look for it.
    principal = ""
    # Whether the server ends all programs of its process group when it ends.
    ends_its_group = False

    def __init__(self, folder: str, tls: bool = False):
        self.folder = folder
        self.port = free_port()
        self.tls = tls
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}/"
        self.certificate = os.path.join(folder, "certificate.pem")

    def __enter__(self) -> "Server":
        os.makedirs(self.folder, exist_ok=True)
        if self.tls and not os.path.exists(self.certificate):
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                 "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.certificate + ".key", "-out",
                 self.certificate], check=True, capture_output=True)
        self.start()
        return self

    def command(self) -> list[str]:
        users = os.path.join(self.folder, "users")
        with open(users, "w") as stream:
            stream.write("ana:secret\nbo:secret\n")
        config = os.path.join(self.folder, "config")
        secure = (f"ssl = True\ncertificate = {self.certificate}\nkey = {self.certificate}.key\n" if self.tls else "")
        with open(config, "w") as stream:
            stream.write(
                f"[server]\nhosts = 127.0.0.1:{self.port}\n{secure}[auth]\ntype = htpasswd\n"
                f"htpasswd_filename = {users}\nhtpasswd_encryption = plain\ndelay = 0\n"
                f"[storage]\nfilesystem_folder = {self.folder}/data\n"
                "[web]\ntype = none\n[logging]\nlevel = warning\n")
        return [sys.executable, "-m", "radicale", "--config", config]

    def start(self) -> None:
        self.log = open(os.path.join(self.folder, "log"), "a")
        self.process = subprocess.Popen(
            self.command(), stdout=self.log, stderr=self.log, start_new_session=self.ends_its_group)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    raise SystemExit("the server does not start: " + open(self.log.name).read())
                time.sleep(0.05)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.log.close()

    def __exit__(self, *_) -> None:
        self.stop()

    def request(self, method: str, path: str, body: str = "", **fields: str) -> str:
        request = urllib.request.Request(self.url + path, body.encode() or None, method=method)
        request.add_header("Authorization", "Basic " + base64.b64encode(b"ana:secret").decode())
        for name, value in fields.items():
            request.add_header(name, value)
        if method == "PUT":
            request.add_header("Content-Type", "text/calendar; charset=utf-8")
        elif body:
            request.add_header("Content-Type", "application/xml; charset=utf-8")
        context = ssl.create_default_context(cafile=self.certificate) if self.tls else None
        with urllib.request.urlopen(request, timeout=60, context=context) as answer:
            return answer.read().decode()

    def make_calendar(self, name: str, title: str, color: str) -> None:
        self.request(
            "MKCALENDAR", f"{self.home}{name}/",
            '<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:I="http://apple.com/ns/ical/">'
            f"<D:set><D:prop><D:displayname>{title}</D:displayname><I:calendar-color>{color}</I:calendar-color>"
            "</D:prop></D:set></C:mkcalendar>")

    def items(self, name: str) -> dict[str, str]:
        """The files of a calendar, as the server stores them."""
        return files(self.calendar_folder(name))

    def calendar_folder(self, name: str) -> str:
        return os.path.join(self.folder, "data", "collection-root", "ana", name)

    def expire_tokens(self) -> None:
        """Makes the server forget the synchronisation tokens that it gave."""
        for root, folders, _ in os.walk(self.folder):
            for folder in folders:
                if folder == "sync-token":
                    shutil.rmtree(os.path.join(root, folder))


class Xandikos(Server):
    """Xandikos, which keeps its calendars in git. It asks for no password."""

    home = "user/calendars/"

    def command(self) -> list[str]:
        return [
            sys.executable, "-m", "xandikos", "serve", "--no-detect-systemd", "-d", self.folder + "/data", "-l",
            "127.0.0.1", "-p", str(self.port), "--autocreate", "--state-dir", self.folder + "/state"]

    def calendar_folder(self, name: str) -> str:
        return os.path.join(self.folder, "data", "user", "calendars", name)

    def expire_tokens(self) -> None:
        pass


class Davical(Server):
    """DAViCal of Debian with a PostgreSQL and an Apache of its own."""

    ends_its_group = True

    @staticmethod
    def postgres() -> str | None:
        return next(iter(sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)), None)

    def __init__(self, folder: str, tls: bool = False):
        super().__init__(folder, tls)
        # Neither program runs as root, and the path of a socket may have 107 bytes.
        self.user = "www-data" if os.geteuid() == 0 else getpass.getuser()
        self.url += "caldav.php/"
        self.home = "ana/"
        self.environment = dict(os.environ, PGHOST=folder, PGUSER="postgres", PATH=f"{self.postgres()}:{os.environ['PATH']}")
        self.database: subprocess.Popen | None = None

    def own(self, *command: str) -> list[str]:
        return [*(["runuser", "-u", self.user, "--"] if os.geteuid() == 0 else []), *command]

    def run(self, *command: str, user: str = "postgres") -> str:
        done = subprocess.run(
            self.own(*command), env=dict(self.environment, PGUSER=user), capture_output=True, text=True,
            stdin=subprocess.DEVNULL, cwd=self.folder)
        if done.returncode != 0:
            raise SystemExit(f"{command[0]}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def start_database(self) -> None:
        if os.geteuid() == 0:
            shutil.chown(self.folder, self.user)
        parent = os.path.dirname(self.folder)
        os.chmod(parent, os.stat(parent).st_mode | 0o011)
        self.run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "-D", self.folder + "/pg")
        self.database = subprocess.Popen(
            self.own("postgres", "-D", self.folder + "/pg", "-k", self.folder, "-c", "listen_addresses=", "-F"),
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while subprocess.run(
                self.own("pg_isready", "-q"), env=self.environment, cwd=self.folder).returncode != 0:
            if time.monotonic() > deadline:
                raise SystemExit("PostgreSQL does not start")
            time.sleep(0.1)
        self.run("sh", "/usr/share/davical/dba/create-database.sh", "davical", self.password)
        self.run("psql", "-q", "-c", "UPDATE usr SET username = 'ana', email = 'ana@example.com' WHERE user_no = 1", "davical")

    def command(self) -> list[str]:
        if self.database is None:
            self.start_database()
        modules = "\n".join(
            f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so"
            for name in ("mpm_prefork", "authz_core", "dir", "mime", "alias", "setenvif"))
        php = glob.glob("/usr/lib/apache2/modules/libphp*.so")[0]
        config = os.path.join(self.folder, "apache.conf")
        with open(config, "w") as stream:
            stream.write(
                f"ServerRoot {self.folder}\nServerName 127.0.0.1\nListen 127.0.0.1:{self.port}\n{modules}\n"
                f"LoadModule php_module {php}\nPidFile {self.folder}/apache.pid\nErrorLog {self.folder}/errors\n"
                f"User {self.user}\nGroup {self.user}\nDocumentRoot /usr/share/davical/htdocs\n"
                "TypesConfig /etc/mime.types\nAcceptPathInfo On\nSetEnvIf Authorization (.*) HTTP_AUTHORIZATION=$1\n"
                "php_value include_path /usr/share/awl/inc\nphp_admin_value error_reporting 0\n"
                "<FilesMatch \\.php$>\nSetHandler application/x-httpd-php\n</FilesMatch>\n"
                "<Directory /usr/share/davical/htdocs>\nRequire all granted\n</Directory>\n")
        os.environ.update(PGHOST=self.folder)
        return ["/usr/sbin/apache2", "-f", config, "-DFOREGROUND"]

    def stop(self) -> None:
        # Its children end with it only if it may end them.
        self.process.terminate()
        self.process.wait()
        self.log.close()

    def __exit__(self, *_) -> None:
        self.stop()
        if self.database is not None:
            self.database.terminate()
            self.database.wait()

    def items(self, name: str) -> dict[str, str]:
        return reported_items(self, name)

    def expire_tokens(self) -> None:
        pass


class Cyrus(Server):
    """Cyrus IMAP of Debian. It has to start as root, and goes on as the user `cyrus`."""

    home = "calendars/user/ana/"
    principal = "principals/user/ana/"
    programs = "/usr/lib/cyrus/bin/"

    def __init__(self, folder: str, tls: bool = False):
        super().__init__(folder, tls)
        self.url += "dav/"
        self.imap = free_port()
        self.is_new = True

    def command(self) -> list[str]:
        for name in ("conf", "spool"):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
        config = os.path.join(self.folder, "imapd.conf")
        with open(config, "w") as stream:
            stream.write(
                f"configdirectory: {self.folder}/conf\npartition-default: {self.folder}/spool\n"
                "defaultpartition: default\nadmins: admin\nsasl_pwcheck_method: auxprop\n"
                f"sasl_auxprop_plugin: sasldb\nsasl_sasldb_path: {self.folder}/users\nsasl_mech_list: PLAIN\n"
                "allowplaintext: yes\nhttpmodules: caldav\nunixhierarchysep: yes\naltnamespace: yes\n"
                "servername: localhost\ncaldav_allowscheduling: off\ncaldav_create_default: no\ncaldav_create_sched: no\n"
                "caldav_create_attach: no\n")
        services = os.path.join(self.folder, "cyrus.conf")
        with open(services, "w") as stream:
            stream.write(
                f'START {{\n recover cmd="{self.programs}ctl_cyrusdb -C {config} -r"\n}}\nSERVICES {{\n'
                f' http cmd="{self.programs}httpd -C {config}" listen="127.0.0.1:{self.port}" proto="tcp4"\n'
                f' imap cmd="{self.programs}imapd -C {config}" listen="127.0.0.1:{self.imap}" proto="tcp4"\n}}\nEVENTS {{\n}}\n')
        if self.is_new:
            for user in ("ana", "admin"):
                for realm in {"localhost", socket.gethostname()}:
                    subprocess.run(
                        ["saslpasswd2", "-p", "-c", "-f", self.folder + "/users", "-u", realm, user],
                        input=self.password, text=True, check=True)
            parent = os.path.dirname(self.folder)
            os.chmod(parent, os.stat(parent).st_mode | 0o011)
            subprocess.run(["chown", "-R", "cyrus:mail", self.folder], check=True)
        return [self.programs + "master", "-C", config, "-M", services, "-p", self.folder + "/pid", "-D"]

    def start(self) -> None:
        super().start()
        if self.is_new:
            with imaplib.IMAP4("127.0.0.1", self.imap) as client:
                client.login("admin", self.password)
                client.create("user/ana")
            self.is_new = False

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.log.close()

    def items(self, name: str) -> dict[str, str]:
        return reported_items(self, name)

    def expire_tokens(self) -> None:
        pass


class Sabre(Server):
    """sabre/dav of Debian, in PHP's own web server. It has no tokens."""

    home = "calendars/ana/"
    principal = "principals/ana/"
    examples = "/usr/share/doc/php-sabre-dav/examples/sql/"

    def command(self) -> list[str]:
        path = os.path.join(self.folder, "db.sqlite")
        if not os.path.exists(path):
            database = sqlite3.connect(path)
            for name in ("calendars", "principals", "locks"):
                with open(f"{self.examples}sqlite.{name}.sql") as stream:
                    database.executescript(stream.read())
            database.execute("INSERT INTO principals (uri, email, displayname) VALUES ('principals/ana', 'ana@example.com', 'Ana')")
            database.commit()
            database.close()
        os.environ.update(SABRE=self.folder, PHP_CLI_SERVER_WORKERS="4")
        return ["php", "-S", f"127.0.0.1:{self.port}", os.path.join(os.path.dirname(os.path.abspath(__file__)), "caldav_sabre.php")]

    ends_its_group = True

    def stop(self) -> None:
        # Its workers do not end with it.
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.log.close()

    def items(self, name: str) -> dict[str, str]:
        return reported_items(self, name)

    def expire_tokens(self) -> None:
        pass


def reported_items(server: Server, name: str) -> dict[str, str]:
    """The objects of a calendar, as the server reports them."""
    answer = server.request(
        "REPORT", f"{server.home}{name}/",
        '<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data/></D:prop>'
        '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter></C:calendar-query>', Depth="1")
    found = {}
    for response in ElementTree.fromstring(answer).iter("{DAV:}response"):
        data = response.find(".//{urn:ietf:params:xml:ns:caldav}calendar-data")
        if data is not None and data.text:
            text = data.text.replace("\r", "").replace("\n", "\r\n")
            found[os.path.basename(response.find("{DAV:}href").text)] = text
    return found


def named(kind: str, folder: str) -> Server:
    """`radicale`, `radicale-tls`, `xandikos`, `davical`, `cyrus` or `sabre`."""
    kinds = {"xandikos": Xandikos, "davical": Davical, "cyrus": Cyrus, "sabre": Sabre}
    return kinds[kind](folder) if kind in kinds else Server(folder, tls=kind.endswith("tls"))


def files(folder: str) -> dict[str, str]:
    result = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".ics") and not name.startswith("."):
            with open(os.path.join(folder, name), newline="", encoding="utf-8") as stream:
                result[name] = stream.read()
    return result
