"""Amazon's services for tests of credentials: moto as IAM, STS and S3, with signatures and policies
checked, and a strict server of our own as what moto does not have: an instance's metadata service, a
container's credential service, IAM Identity Center, and STS for web identities, which nobody signs.

usage: aws_services.py MOTO_ENDPOINT PORT ANSWER_FILE OBJECT_FILE

Puts OBJECT_FILE as s3://lake/in/1.parquet, makes the user `loader`, who may assume roles and nothing
else, and the role `reader`, which may read the bucket, and writes what a test needs to know into
ANSWER_FILE. Requests that the documentation does not describe are answered with 400.
"""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import boto3

MOTO, PORT, ANSWER_FILE, OBJECT_FILE = sys.argv[1:]
ACCOUNT = "123456789012"
ROLES = "/latest/meta-data/iam/security-credentials/"


def client(service, **keys):
    keys = keys or {"aws_access_key_id": "setup", "aws_secret_access_key": "setup"}
    return boto3.client(service, endpoint_url=MOTO, region_name="us-east-1", **keys)


def policy(action, **more):
    statement = {"Effect": "Allow", "Action": action, **more}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def set_up():
    """The bucket, the user and the roles; then moto begins to check who asks."""
    s3, iam = client("s3"), client("iam")
    s3.create_bucket(Bucket="lake")
    with open(OBJECT_FILE, "rb") as file:
        s3.put_object(Bucket="lake", Key="in/1.parquet", Body=file.read())
    iam.create_user(UserName="loader")
    iam.put_user_policy(UserName="loader", PolicyName="roles",
                        PolicyDocument=policy("sts:AssumeRole", Resource="*"))
    key = iam.create_access_key(UserName="loader")["AccessKey"]
    trusts = policy("sts:AssumeRole", Principal={"AWS": f"arn:aws:iam::{ACCOUNT}:user/loader"})
    role = iam.create_role(RoleName="reader", AssumeRolePolicyDocument=trusts)["Role"]["Arn"]
    iam.put_role_policy(RoleName="reader", PolicyName="read",
                        PolicyDocument=policy(["s3:ListBucket", "s3:GetObject"], Resource="*"))
    urlopen(Request(f"{MOTO}/moto-api/reset-auth", data=b"0", method="POST",
                    headers={"Content-Type": "text/plain"}))
    return {"key": key["AccessKeyId"], "secret": key["SecretAccessKey"], "role": role}


MADE = set_up()
SECRETS = [MADE["secret"]]


def role_credentials(session):
    """Credentials of the role that moto takes."""
    sts = client("sts", aws_access_key_id=MADE["key"], aws_secret_access_key=MADE["secret"])
    made = sts.assume_role(RoleArn=MADE["role"], RoleSessionName=session)["Credentials"]
    SECRETS.extend([made["SecretAccessKey"], made["SessionToken"]])
    return made


def document(made):
    return json.dumps({"Version": 1, "Code": "Success", "AccessKeyId": made["AccessKeyId"],
                       "SecretAccessKey": made["SecretAccessKey"], "Token": made["SessionToken"],
                       "Expiration": made["Expiration"].strftime("%Y-%m-%dT%H:%M:%SZ")})


class Services(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def holds(self, **headers):
        return all(self.headers.get(name.replace("_", "-")) == value
                   for name, value in headers.items())

    def do_PUT(self):
        right = self.path == "/latest/api/token" and "X-Forwarded-For" not in self.headers
        ttl = self.headers.get("X-aws-ec2-metadata-token-ttl-seconds", "")
        if not right or not ttl.isdigit() or not 1 <= int(ttl) <= 21600:
            return self.answer(400, "")
        return self.answer(200, "imds-token-hush")

    def do_GET(self):
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        if self.path.startswith(ROLES):
            if not self.holds(x_aws_ec2_metadata_token="imds-token-hush"):
                return self.answer(401, "")
            if self.path == ROLES:
                return self.answer(200, "reader")
            if self.path == ROLES + "reader":
                return self.answer(200, document(role_credentials("instance")))
        if self.path == "/v2/credentials/task":
            if not self.holds(Authorization="task-token-hush"):
                return self.answer(401, "")
            return self.answer(200, document(role_credentials("task")))
        if url.path == "/federation/credentials":
            if self.headers.get("x-amz-sso_bearer_token") != "sso-token-hush":
                return self.answer(401, "")
            if query == {"role_name": ["Reader"], "account_id": [ACCOUNT]}:
                made = role_credentials("sso")
                return self.answer(200, json.dumps({"roleCredentials": {
                    "accessKeyId": made["AccessKeyId"],
                    "secretAccessKey": made["SecretAccessKey"],
                    "sessionToken": made["SessionToken"],
                    "expiration": int(made["Expiration"].timestamp() * 1000)}}))
        return self.answer(400, "")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        expected = {"Action": ["AssumeRoleWithWebIdentity"], "Version": ["2011-06-15"],
                    "RoleArn": [MADE["role"]], "RoleSessionName": ["forebay"],
                    "DurationSeconds": ["3600"], "WebIdentityToken": ["web-token-hush"]}
        if self.path != "/" or "Authorization" in self.headers or parse_qs(body) != expected:
            return self.answer(400, "<ErrorResponse><Error><Code>ValidationError</Code>"
                                    "<Message>strict</Message></Error></ErrorResponse>")
        made = role_credentials("web")
        return self.answer(200, "<AssumeRoleWithWebIdentityResponse xmlns='x'>"
                                "<AssumeRoleWithWebIdentityResult><Credentials>"
                                f"<AccessKeyId>{made['AccessKeyId']}</AccessKeyId>"
                                f"<SecretAccessKey>{made['SecretAccessKey']}</SecretAccessKey>"
                                f"<SessionToken>{made['SessionToken']}</SessionToken>"
                                f"<Expiration>{made['Expiration']:%Y-%m-%dT%H:%M:%SZ}</Expiration>"
                                "</Credentials></AssumeRoleWithWebIdentityResult>"
                                "</AssumeRoleWithWebIdentityResponse>")


MADE["process"] = document(role_credentials("process"))
MADE["secrets"] = SECRETS
server = ThreadingHTTPServer(("127.0.0.1", int(PORT)), Services)
with open(ANSWER_FILE + ".new", "w") as file:
    json.dump(MADE, file)
os.rename(ANSWER_FILE + ".new", ANSWER_FILE)
server.serve_forever()
