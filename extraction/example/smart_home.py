"""A Chinese story: the owner of a flat and her assistant through the months of a 智能家居项目."""

from __future__ import annotations

from extraction.example.story import Told

SUBJECT = "智能家居项目"
OWNER = "林晓"

CONVERSATIONS = (
    Told(
        id="智能家居-启动",
        subject=SUBJECT,
        began="2025-02-16T20:15:00+08:00",
        reviewed=True,
        turns=(
            (OWNER, "晚上好，今天外面真冷，还好家里有暖气。"),
            ("assistant", "晚上好！今天想聊点什么？"),
            (
                OWNER,
                "我想把新房子装成智能家居，房子在杭州滨江，面积大约120平方米。"
                "预算是15万元。"
                "陈工是我们的设计师，大家都叫他老陈。",
            ),
            ("assistant", "好的。您更看重灯光还是安防？我建议先看看全屋有线的做法。"),
            (OWNER, "我最看重灯光。上周六我们和老陈碰了一次面，最后决定采用方案A，全部走无线。"),
        ),
    ),
    Told(
        id="智能家居-选材",
        subject=SUBJECT,
        began="2025-03-10T19:40:00+08:00",
        reviewed=True,
        turns=(
            (OWNER, "王建国是负责布线的电工，干这一行二十年了，大家都叫他老王。"),
            ("assistant", "有经验的师傅让人放心。"),
            (
                OWNER,
                "是啊，他还爱讲笑话，哈哈。网关的供应商是绿米。昨天我们付了2万元定金。我对羊毛过敏，窗帘不要用羊毛的。",
            ),
            ("assistant", "记下了。窗帘电机要不要一起订？"),
            (OWNER, "我们可能下个月再订窗帘电机，还没想好。"),
        ),
    ),
    Told(
        id="智能家居-进场",
        subject=SUBJECT,
        began="2025-04-07T21:05:00+08:00",
        reviewed=True,
        turns=(
            (OWNER, "清明去了一趟外婆家，路上堵了五个小时，累坏了。"),
            ("assistant", "辛苦了，早点休息。"),
            (
                OWNER,
                "老王上周三已经进场布线了。因为加了安防，预算调整到18万元。到现在我们一共花了6万8千元。",
            ),
            ("assistant", "工期有变化吗？"),
            (OWNER, "计划5月底完成布线，6月15日开始安装面板。"),
        ),
    ),
    Told(
        id="智能家居-换方案",
        subject=SUBJECT,
        began="2025-05-26T20:30:00+08:00",
        turns=(
            (OWNER, "在吗？刚吃完饭，跟你说个事。"),
            ("assistant", "在的，您说。"),
            (
                OWNER,
                "无线信号在书房一直不稳定，三天前我们和老陈又开了一次会。"
                "我们决定改用方案B，主干走有线，只有开关用无线。"
                "陈工负责重新出图。",
            ),
            ("assistant", "这样面板的安装日期会受影响吗？"),
            (OWNER, "面板安装推迟到7月1日。我们可能还要多花一万块钱。"),
        ),
    ),
    Told(
        id="智能家居-验收前",
        subject=SUBJECT,
        began="2025-06-30T18:50:00+08:00",
        turns=(
            (OWNER, "这几天太热了，猫都趴在地板上不动。"),
            ("assistant", "注意防暑。验收准备得怎么样了？"),
            (
                OWNER,
                "我们下周五和老王、老陈一起验收。"
                "灯光场景已经全部调试完成。"
                "上个月15号付了第二笔款，5万元。"
                "我妈妈不喜欢语音控制，她习惯用开关。",
            ),
        ),
    ),
    Told(
        id="智能家居-入住",
        subject=SUBJECT,
        began="2025-07-20T10:20:00+08:00",
        turns=(
            (OWNER, "早！昨天终于搬进来了，谢谢你一路帮忙。"),
            ("assistant", "恭喜乔迁！还有什么没收尾的？"),
            (
                OWNER,
                "已经验收通过，质保期是两年。我们也许2025年底再加一套地暖控制。如果以后换大房子，我还想找老王来做。",
            ),
        ),
    ),
)
