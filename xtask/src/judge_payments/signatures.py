"""What the providers' own libraries say of signatures: reads a list of cases as JSON, prints a list of verdicts."""

import json
import sys

from mercadopago.webhook import InvalidWebhookSignatureError, WebhookSignatureValidator
from stripe import SignatureVerificationError, Webhook, WebhookSignature


def verdict(case):
    if case["op"] == "sign":
        return WebhookSignature.generate_signature_header(
            case["body"], case["secret"], case["seconds"]
        )
    if case["op"] == "mercadopago":
        try:
            WebhookSignatureValidator.validate(
                case["header"], case["request"], case["id"], case["secret"]
            )
            return True
        except InvalidWebhookSignatureError:
            return False
    try:
        Webhook.construct_event(case["body"], case["header"], case["secret"])
        return True
    except SignatureVerificationError:
        return False


json.dump([verdict(case) for case in json.load(sys.stdin)], sys.stdout)
